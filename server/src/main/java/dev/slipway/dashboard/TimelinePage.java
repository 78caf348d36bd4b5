package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * Some of the deployments of a project, newest first.
 *
 * @param first whether these are the newest
 * @param older where the next ones begin
 */
public record TimelinePage(
    ProjectHead head, List<DeploymentLine> lines, boolean first, Optional<String> older) {
  public TimelinePage {
    lines = List.copyOf(lines);
  }

  private String path() {
    return head.path() + ProjectTab.DEPLOYMENTS.path();
  }

  /** Empty where these are the newest. */
  public String newestPath() {
    return first ? "" : path();
  }

  /** Empty where there are none. */
  public String olderPath() {
    return older.map(it -> path() + "?cursor=" + Shown.encoded(it)).orElse("");
  }
}
