package dev.slipway.hook;

import dev.slipway.core.DeliveryId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import java.time.Instant;
import java.util.Optional;

/**
 * A message of a git host that was taken.
 *
 * @param hostId the host's name of it, where it gives one
 * @param event what happened, in the host's words
 * @param reason a sentence for the project's owner
 */
public record HookDelivery(
    DeliveryId id,
    ProjectId projectId,
    Optional<String> hostId,
    String event,
    Outcome outcome,
    String reason,
    Optional<DeploymentId> deploymentId,
    Optional<PreviewId> previewId,
    Instant receivedAt) {
  private static final int MAX_REASON = 500;

  static HookDelivery of(
      ProjectId project, Optional<String> hostId, String event, Reaction reaction, Instant now) {
    String reason = reaction.reason();
    return new HookDelivery(
        DeliveryId.next(),
        project,
        hostId,
        event,
        reaction.outcome(),
        reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON),
        reaction.deployment(),
        reaction.preview(),
        now);
  }
}
