package dev.slipway.dashboard;

import java.util.List;

/**
 * Where a new project's code comes from.
 *
 * @param hosts the git hosts of the configuration
 */
public record NewPage(List<Option> hosts, SourceFields source, BranchField branch) {
  public NewPage {
    hosts = List.copyOf(hosts);
  }
}
