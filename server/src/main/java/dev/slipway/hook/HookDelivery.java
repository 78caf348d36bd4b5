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
 * @param event what happened, in the host's words; cut where it is longer than any host's
 * @param reason a sentence for the project's owner; cut where what it quotes makes it long
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
  private static final int MAX_EVENT = 100;
  private static final int MAX_REASON = 500;

  static HookDelivery of(
      ProjectId project, Optional<String> hostId, String event, Reaction reaction, Instant now) {
    return new HookDelivery(
        DeliveryId.next(),
        project,
        hostId,
        cut(event, MAX_EVENT),
        reaction.outcome(),
        cut(reaction.reason(), MAX_REASON),
        reaction.deployment(),
        reaction.preview(),
        now);
  }

  /** Not in the middle of a character: half of one is no text. */
  private static String cut(String text, int most) {
    return text.codePointCount(0, text.length()) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most));
  }
}
