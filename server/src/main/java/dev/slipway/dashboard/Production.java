package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * What of a project runs now.
 *
 * @param id the project's
 * @param live whether anything serves it
 * @param site whether that is files alone
 * @param asleep how long nobody had asked for it, where its program is stopped for that
 * @param instances of the deployment that serves
 */
public record Production(
    String id, boolean live, boolean site, Optional<String> asleep, List<InstanceLine> instances) {
  public Production {
    instances = List.copyOf(instances);
  }

  /** Where this part alone is, to be looked at again. */
  public String path() {
    return ProjectHead.path(id) + "/instances";
  }
}
