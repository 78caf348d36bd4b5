package dev.slipway.hook;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.PreviewId;
import java.util.Optional;

/**
 * What was done about a message of a git host.
 *
 * @param reason a sentence for the project's owner
 * @param deployment which was queued
 * @param preview which was made, brought up to date or removed
 */
public record Reaction(
    Outcome outcome,
    String reason,
    Optional<DeploymentId> deployment,
    Optional<PreviewId> preview) {

  public static Reaction deployed(DeploymentId id, String reason) {
    return new Reaction(Outcome.DEPLOYED, reason, Optional.of(id), Optional.empty());
  }

  public static Reaction preview(PreviewId id, String reason) {
    return new Reaction(Outcome.PREVIEW, reason, Optional.empty(), Optional.of(id));
  }

  public static Reaction ignored(String reason) {
    return new Reaction(Outcome.IGNORED, reason, Optional.empty(), Optional.empty());
  }

  public static Reaction ping(String reason) {
    return new Reaction(Outcome.PING, reason, Optional.empty(), Optional.empty());
  }
}
