package dev.slipway.webhook;

import dev.slipway.core.DeliveryId;
import dev.slipway.core.EventId;
import dev.slipway.core.WebhookId;
import java.time.Instant;
import java.util.Optional;

/**
 * One event for one endpoint.
 *
 * @param resource the id of what the event happened to
 * @param attemptCount how often it was sent, whatever came of it
 * @param nextAttemptAt absent while it is being sent, or waits for an earlier event of its resource
 * @param error why it failed, as a sentence
 */
public record Delivery(
    DeliveryId id,
    WebhookId webhookId,
    EventId eventId,
    String eventType,
    String resource,
    DeliveryStatus status,
    int attemptCount,
    Optional<Instant> nextAttemptAt,
    Optional<String> error,
    Instant createdAt,
    Optional<Instant> completedAt) {

  /** One that is to be sent at once. */
  static Delivery made(WebhookId webhook, EventId event, String type, String resource, Instant at) {
    return new Delivery(
        DeliveryId.next(),
        webhook,
        event,
        type,
        resource,
        DeliveryStatus.PENDING,
        0,
        Optional.of(at),
        Optional.empty(),
        at,
        Optional.empty());
  }
}
