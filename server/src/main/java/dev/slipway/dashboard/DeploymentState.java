package dev.slipway.dashboard;

import java.net.URI;
import java.util.Optional;

/**
 * What a deployment has come to: the part of its page that changes while it is under way.
 *
 * @param project absent where it is deleted, and this is there for its history alone
 * @param url where the project answers, or did
 * @param open whether it is under way
 * @param waiting why nothing happens yet
 * @param cause why it failed
 * @param crash why its program, which serves, does not run
 * @param release the deployment whose release this one took; absent where that is its own
 * @param shape changes whenever this would be shown otherwise
 */
public record DeploymentState(
    DeploymentLine line,
    Optional<ProjectHead> project,
    String url,
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

  /** The address without its scheme. */
  public String host() {
    return URI.create(url).getAuthority();
  }

  /** Where it is asked for anew. */
  public String poll() {
    return "%s/state?seen=%s".formatted(line.path(), shape);
  }
}
