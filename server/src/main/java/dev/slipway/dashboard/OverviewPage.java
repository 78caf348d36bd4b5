package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * A project as a whole.
 *
 * @param source where its code comes from
 * @param sourceNote branch and framework
 * @param instanceType with what an instance may take
 * @param crash why its program crashes again and again
 * @param restart the sentence about the last restart, where it goes on or has failed
 * @param day the last 24 hours
 * @param recent its newest deployments
 */
public record OverviewPage(
    ProjectHead head,
    String source,
    String sourceNote,
    String region,
    String instanceType,
    Optional<Cause> crash,
    Optional<Restart> restart,
    Production production,
    List<Plot> day,
    List<DeploymentLine> recent) {
  public OverviewPage {
    day = List.copyOf(day);
    recent = List.copyOf(recent);
  }

  /** Why something failed: a code of the API, and a sentence. */
  public record Cause(String code, String message) {}

  /**
   * @param failed absent while it goes on
   */
  public record Restart(Optional<Cause> failed) {}
}
