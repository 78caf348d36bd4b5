package dev.slipway.dashboard;

import java.util.Optional;

/**
 * What a deployment has come to: the part of its page that changes while it is under way.
 *
 * @param open whether it is under way
 * @param waiting why nothing happens yet
 * @param cause why it failed
 * @param crash why its program, which serves, does not run
 * @param release the deployment whose release this one took; absent where that is its own
 * @param shape changes whenever this would be shown otherwise
 */
public record DeploymentState(
    DeploymentLine line,
    ProjectHead project,
    boolean open,
    Optional<String> waiting,
    Optional<Cause> cause,
    Optional<Crash> crash,
    StepList steps,
    Facts facts,
    Optional<String> previewUrl,
    Optional<DeploymentLine> release,
    String shape) {

  /** That its program crashes again and again. */
  public record Crash(String code, String message) {}

  /**
   * What else is known.
   *
   * @param build how long that took, or why that cannot be said
   * @param place the region and the size of its instances
   */
  public record Facts(String framework, String build, String place) {}

  /** Where it is asked for anew. */
  public String poll() {
    return "%s/state?seen=%s".formatted(line.path(), shape);
  }
}
