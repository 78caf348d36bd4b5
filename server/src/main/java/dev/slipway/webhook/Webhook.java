package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.WebhookId;
import dev.slipway.event.EventType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An endpoint that an account has its events sent to.
 *
 * @param events the types that it is sent; none means all
 * @param disabledReason a sentence, where it was not its owner who disabled it
 */
public record Webhook(
    WebhookId id,
    AccountId accountId,
    String url,
    List<EventType> events,
    boolean enabled,
    Optional<String> disabledReason,
    Instant createdAt,
    Instant updatedAt) {

  boolean takes(EventType type) {
    return events.isEmpty() || events.contains(type);
  }

  Webhook disabled(Optional<String> reason, Instant now) {
    return new Webhook(id, accountId, url, events, false, reason, createdAt, now);
  }
}
