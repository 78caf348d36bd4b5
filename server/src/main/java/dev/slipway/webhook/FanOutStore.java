package dev.slipway.webhook;

import dev.slipway.core.DeliveryId;
import dev.slipway.core.WebhookId;
import dev.slipway.event.Event;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Makes deliveries of events. Every call runs in the caller's transaction. */
final class FanOutStore {
  private static final String MESSAGES =
      """
      INSERT INTO webhook_message (event_id, body, used_at)
      SELECT m.event_id, m.body, :now FROM unnest(:events, :bodies) AS m (event_id, body)
          ON CONFLICT DO NOTHING
      """;

  // The first of its resource is due at once, unless an earlier one is still to be sent for the
  // first time. The endpoint's row is held, so that this cannot end meanwhile.
  private static final String DELIVERIES =
      """
      INSERT INTO webhook_delivery
          (id, webhook_id, event_id, event_type, resource, period, turn, status, due_at,
           created_at)
      SELECT n.id, n.webhook_id, n.event_id, n.event_type, n.resource, w.period, n.turn,
             'PENDING',
             CASE WHEN row_number() OVER (PARTITION BY n.webhook_id, n.resource ORDER BY n.turn) = 1
                   AND NOT EXISTS (
                       SELECT FROM webhook_delivery d
                        WHERE d.webhook_id = n.webhook_id AND d.period = w.period
                          AND d.resource = n.resource
                          AND d.status = 'PENDING' AND d.attempt_count = 0 AND d.turn IS NOT NULL)
                  THEN CAST(:now AS timestamptz) END,
             :now
        FROM unnest(:ids, :webhooks, :events, :types, :resources, :turns)
             AS n (id, webhook_id, event_id, event_type, resource, turn)
        JOIN webhook w ON w.id = n.webhook_id
      """;

  /** What is sent of the event to one endpoint. */
  record Addressed(DeliveryId id, WebhookId webhook, Event event) {}

  void addMessages(Handle tx, Collection<Event> events, Instant now) {
    tx.createUpdate(MESSAGES)
        .bindArray("events", String.class, events.stream().map(it -> it.id().value()).toList())
        .bindArray("bodies", String.class, events.stream().map(Event::body).toList())
        .bind("now", now)
        .execute();
  }

  /** The rows of their endpoints are locked. */
  void addDeliveries(Handle tx, List<Addressed> all, Instant now) {
    tx.createUpdate(DELIVERIES)
        .bindArray("ids", String.class, all.stream().map(it -> it.id().value()).toList())
        .bindArray("webhooks", String.class, all.stream().map(it -> it.webhook().value()).toList())
        .bindArray("events", String.class, all.stream().map(it -> it.event().id().value()).toList())
        .bindArray(
            "types", String.class, all.stream().map(it -> it.event().type().wireName()).toList())
        .bindArray(
            "resources", String.class, all.stream().map(it -> it.event().resource()).toList())
        .bindArray("turns", Long.class, all.stream().map(it -> it.event().sequence()).toList())
        .bind("now", now)
        .execute();
  }
}
