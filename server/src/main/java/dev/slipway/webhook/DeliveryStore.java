package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeliveryId;
import dev.slipway.core.EventId;
import dev.slipway.core.WebhookId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows of deliveries, as their owners see them. Every call runs in the caller's transaction. */
final class DeliveryStore {
  private static final String MESSAGE =
      """
      INSERT INTO webhook_message (event_id, body, used_at) VALUES (?, ?, ?)
          ON CONFLICT (event_id) DO UPDATE SET used_at = excluded.used_at
      """;

  private static final String BODY = "SELECT body FROM webhook_message WHERE event_id = ?";

  // Out of turn.
  private static final String INSERT =
      """
      INSERT INTO webhook_delivery
          (id, webhook_id, event_id, event_type, resource, period, status, due_at, created_at)
      SELECT ?, w.id, ?, ?, ?, w.period, 'PENDING', ?, ? FROM webhook w WHERE w.id = ?
      """;

  private static final String FIND =
      "SELECT * FROM webhook_delivery WHERE id = ? AND webhook_id = ?";

  static final String LIST =
      """
      SELECT * FROM webhook_delivery
       WHERE webhook_id = :webhook %s %s
       ORDER BY id COLLATE "C" DESC LIMIT :limit
      """;

  private static final String NEWEST =
      """
      SELECT newest.*
        FROM webhook w
       CROSS JOIN LATERAL (
             SELECT * FROM webhook_delivery d
              WHERE d.webhook_id = w.id
              ORDER BY d.id COLLATE "C" DESC LIMIT 1) newest
       WHERE w.account_id = ? AND w.deleted_at IS NULL
      """;

  private static final String ATTEMPTS =
      "SELECT * FROM webhook_attempt WHERE delivery_id = ? ORDER BY number";

  private static final String FAIL =
      """
      UPDATE webhook_delivery
         SET status = 'FAILED', error = ?, completed_at = ?, due_at = NULL, worker = NULL
       WHERE id IN (
             SELECT d.id FROM webhook w JOIN webhook_delivery d ON d.webhook_id = w.id
              WHERE w.id = ? AND d.period < w.period AND d.completed_at IS NULL
              LIMIT ?)
      """;

  private static final String DELETE =
      """
      DELETE FROM webhook_delivery WHERE id IN (
        SELECT id FROM webhook_delivery WHERE webhook_id = ? LIMIT ?)
      """;

  private static final String DISABLED = "The endpoint was disabled before this could be sent.";

  private static final String FORGET =
      """
      DELETE FROM webhook_delivery WHERE id IN (
        SELECT id FROM webhook_delivery WHERE created_at < ? AND status <> 'PENDING' LIMIT ?)
      """;

  // What is still to be sent may be as old, where an endpoint has got far too much. It was made no
  // later than its message was used, so that of the deliveries the old ones alone are looked at.
  static final String FORGET_MESSAGES =
      """
      DELETE FROM webhook_message
       WHERE used_at < :before
         AND event_id IN (
             SELECT m.event_id FROM webhook_message m
              WHERE m.used_at < :before
                AND NOT EXISTS (
                    SELECT FROM webhook_delivery d
                     WHERE d.event_id = m.event_id AND d.status = 'PENDING'
                       AND d.created_at < :before)
              LIMIT :most)
      """;

  /** One that is sent out of turn: at once, whatever else of its resource waits. */
  void insert(Handle tx, Delivery delivery, String body) {
    tx.execute(MESSAGE, delivery.eventId().value(), body, delivery.createdAt());
    tx.execute(
        INSERT,
        delivery.id().value(),
        delivery.eventId().value(),
        delivery.eventType(),
        delivery.resource(),
        delivery.nextAttemptAt().orElseThrow(),
        delivery.createdAt(),
        delivery.webhookId().value());
  }

  Optional<Delivery> find(Handle tx, WebhookId webhook, DeliveryId id) {
    return tx.createQuery(FIND)
        .bind(0, id.value())
        .bind(1, webhook.value())
        .map((row, _) -> delivery(row))
        .findOne();
  }

  /** What is sent of an event. */
  String body(Handle tx, EventId event) {
    return tx.createQuery(BODY).bind(0, event.value()).mapTo(String.class).one();
  }

  /** Newest first, those before {@code before}; of one status, or of all. */
  List<Delivery> list(
      Handle tx,
      WebhookId webhook,
      Optional<DeliveryStatus> status,
      Optional<DeliveryId> before,
      int limit) {
    var query =
        tx.createQuery(
            LIST.formatted(
                status.map(DeliveryStore::condition).orElse(""),
                before.isPresent() ? "AND id COLLATE \"C\" < :before" : ""));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query
        .bind("webhook", webhook.value())
        .bind("limit", limit)
        .map((row, _) -> delivery(row))
        .list();
  }

  /** As text, not as a parameter: that would keep the plan from the index of those that failed. */
  static String condition(DeliveryStatus status) {
    return switch (status) {
      case PENDING -> "AND completed_at IS NULL";
      case DELIVERED -> "AND status = 'DELIVERED'";
      case FAILED -> "AND status = 'FAILED'";
    };
  }

  /** The newest one of each of the account's endpoints that has any. */
  List<Delivery> newest(Handle tx, AccountId account) {
    return tx.createQuery(NEWEST).bind(0, account.value()).map((row, _) -> delivery(row)).list();
  }

  /** In the order in which they were made. */
  List<Attempt> attempts(Handle tx, DeliveryId delivery) {
    return tx.createQuery(ATTEMPTS).bind(0, delivery.value()).map((row, _) -> attempt(row)).list();
  }

  /**
   * Ends what was to be sent to the endpoint before it was disabled the last time.
   *
   * @param most of them
   * @return how many there were
   */
  int failOutdated(Handle tx, WebhookId webhook, Instant now, int most) {
    return tx.execute(FAIL, DISABLED, now, webhook.value(), most);
  }

  /**
   * Of an endpoint that is deleted.
   *
   * @param most of them
   * @return how many there were
   */
  int delete(Handle tx, WebhookId webhook, int most) {
    return tx.execute(DELETE, webhook.value(), most);
  }

  /**
   * Deletes what has ended and is older than that.
   *
   * @param most of them
   * @return how many there were
   */
  int forget(Handle tx, Instant before, int most) {
    return tx.execute(FORGET, before, most);
  }

  /** {@link #forget}, of what was sent of events that nothing waits for. */
  int forgetMessages(Handle tx, Instant before, int most) {
    return tx.createUpdate(FORGET_MESSAGES).bind("before", before).bind("most", most).execute();
  }

  private static Delivery delivery(ResultSet row) throws SQLException {
    boolean sending = row.getString("worker") != null;
    return new Delivery(
        new DeliveryId(row.getString("id")),
        new WebhookId(row.getString("webhook_id")),
        new EventId(row.getString("event_id")),
        row.getString("event_type"),
        row.getString("resource"),
        DeliveryStatus.valueOf(row.getString("status")),
        row.getInt("attempt_count"),
        sending ? Optional.empty() : time(row, "due_at"),
        Optional.ofNullable(row.getString("error")),
        row.getTimestamp("created_at").toInstant(),
        time(row, "completed_at"));
  }

  private static Attempt attempt(ResultSet row) throws SQLException {
    Optional<Attempt.Answer> answer =
        row.getString("headers") == null
            ? Optional.empty()
            : Optional.of(
                new Attempt.Answer(
                    row.getInt("status"),
                    HeaderText.read(row.getString("headers")),
                    row.getString("body")));
    return new Attempt(
        row.getInt("number"),
        row.getTimestamp("at").toInstant(),
        Duration.ofMillis(row.getLong("duration_ms")),
        HeaderText.read(row.getString("request_headers")),
        answer,
        Optional.ofNullable(row.getString("error")));
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
  }
}
