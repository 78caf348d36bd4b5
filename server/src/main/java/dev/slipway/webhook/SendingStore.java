package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeliveryId;
import dev.slipway.core.EventId;
import dev.slipway.core.Secret;
import dev.slipway.core.WebhookId;
import dev.slipway.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Takes deliveries to send them. Every call runs in the caller's transaction. */
final class SendingStore {
  private static final String TAKE_BACK =
      """
      UPDATE webhook_delivery SET worker = NULL, due_at = ?
       WHERE due_at IS NOT NULL AND worker = ?
      """;

  private static final String WAITING =
      """
      SELECT *
        FROM (SELECT w.id, w.account_id,
                     EXISTS (SELECT FROM webhook_delivery d
                              WHERE d.webhook_id = w.id AND d.period = w.period
                                AND d.due_at <= :now) AS due,
                     (SELECT min(d.due_at) FROM webhook_delivery d
                       WHERE d.webhook_id = w.id AND d.period = w.period
                         AND d.due_at > :now) AS next
                FROM webhook w
               WHERE w.enabled %s) found
       WHERE due OR next IS NOT NULL
      """;

  // What others have just taken is passed over, not waited for. The status is not asked for: what
  // is
  // due is pending, and before the first statistics that would look so rare that all of it is
  // sorted.
  private static final String CHOOSE =
      """
      SELECT due.id
        FROM unnest(:webhooks, :counts) AS wish (webhook_id, most)
        JOIN webhook w ON w.id = wish.webhook_id AND w.enabled
       CROSS JOIN LATERAL (
             SELECT d.id FROM webhook_delivery d
              WHERE d.webhook_id = w.id AND d.period = w.period AND d.due_at <= :now
              ORDER BY d.due_at LIMIT wish.most
                FOR UPDATE SKIP LOCKED) due
      """;

  // A statement of its own: in one with the choice, nobody could tell how few these are, and all
  // deliveries would be read to find them.
  private static final String TAKE =
      """
      UPDATE webhook_delivery d
         SET worker = :worker, due_at = :until
        FROM webhook w, webhook_message m
       WHERE d.id = ANY(:ids) AND w.id = d.webhook_id AND m.event_id = d.event_id
      RETURNING d.id, d.webhook_id, d.event_id, d.resource, d.attempt_count, d.created_at,
                w.account_id, w.url, w.secret, w.former_secret, w.former_until, m.body
      """;

  // Only of whoever has it, and not what was ended meanwhile.
  private static final String RECORD =
      """
      WITH written AS (
        UPDATE webhook_delivery
           SET status = :outcome, attempt_count = :number, due_at = :next, worker = NULL,
               error = :failure, completed_at = :completed
         WHERE id = :id AND status = 'PENDING' AND worker = :worker AND attempt_count = :number - 1
        RETURNING id)
      INSERT INTO webhook_attempt
             (delivery_id, number, at, duration_ms, request_headers, status, headers, body, error)
      SELECT id, :number, :at, :took, :request, :answered, :headers, :body, :error FROM written
      """;

  // Where none is waiting any more, or the first has been told before, nothing changes.
  private static final String NEXT_TURN =
      """
      UPDATE webhook_delivery d
         SET due_at = :now
        FROM unnest(:webhooks, :resources) AS ended (webhook_id, resource)
        JOIN webhook w ON w.id = ended.webhook_id
       CROSS JOIN LATERAL (
             SELECT n.id, n.due_at FROM webhook_delivery n
              WHERE n.webhook_id = w.id AND n.period = w.period AND n.resource = ended.resource
                AND n.status = 'PENDING' AND n.attempt_count = 0 AND n.turn IS NOT NULL
              ORDER BY n.turn LIMIT 1) head
       WHERE d.id = head.id AND head.due_at IS NULL
      """;

  private static final String POSTPONE =
      """
      UPDATE webhook_delivery SET worker = NULL, due_at = ?
       WHERE id = ANY(?) AND worker = ? AND status = 'PENDING'
      """;

  // Of a delivery that was ended while it was being sent: what came of that is kept, and changes
  // nothing.
  private static final String KEEP_LATE =
      """
      WITH late AS (
        UPDATE webhook_delivery SET attempt_count = :number
         WHERE id = :id AND status <> 'PENDING' AND attempt_count = :number - 1
        RETURNING id)
      INSERT INTO webhook_attempt
             (delivery_id, number, at, duration_ms, request_headers, status, headers, body, error)
      SELECT id, :number, :at, :took, :request, :answered, :headers, :body, :error FROM late
      """;

  private static final String TAKEN =
      "UPDATE webhook SET taken_at = :now WHERE id = ANY(:webhooks)";

  private static final String TAKEN_SINCE =
      "SELECT coalesce(taken_at >= ?, false) FROM webhook WHERE id = ?";

  private final Vault vault;

  SendingStore(Vault vault) {
    this.vault = vault;
  }

  /**
   * An endpoint with something to send.
   *
   * @param due whether it is now
   * @param next when more is due, or another may take what is being sent
   */
  record Waiting(Endpoint endpoint, boolean due, Optional<Instant> next) {}

  /** What this worker was sending when it was killed is due again. */
  void takeBack(Handle tx, String worker, Instant now) {
    tx.execute(TAKE_BACK, now, worker);
  }

  /**
   * @param accounts whose endpoints to look at; none means all
   */
  List<Waiting> waiting(Handle tx, Collection<AccountId> accounts, Instant now) {
    var query =
        tx.createQuery(
                WAITING.formatted(accounts.isEmpty() ? "" : "AND w.account_id = ANY(:accounts)"))
            .bind("now", now);
    if (!accounts.isEmpty()) {
      query.bindArray("accounts", String.class, accounts.stream().map(AccountId::value).toList());
    }
    return query
        .map((row, _) ->
            new Waiting(
                endpoint(row, "id"),
                row.getBoolean("due"),
                Optional.ofNullable(row.getTimestamp("next")).map(Timestamp::toInstant)))
        .list();
  }

  /**
   * Takes what is due.
   *
   * @param shares how much to take of each endpoint at most
   * @param until when another may take it
   */
  List<Sending> take(
      Handle tx, Map<Endpoint, Integer> shares, String worker, Instant now, Instant until) {
    List<String> webhooks = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    shares.forEach((endpoint, count) -> {
      webhooks.add(endpoint.id().value());
      counts.add(count);
    });
    List<String> ids =
        tx.createQuery(CHOOSE)
            .bindArray("webhooks", String.class, webhooks)
            .bindArray("counts", Integer.class, counts)
            .bind("now", now)
            .mapTo(String.class)
            .list();
    return tx.createQuery(TAKE)
        .bindArray("ids", String.class, ids)
        .bind("worker", worker)
        .bind("until", until)
        .map((row, _) -> sending(row, now))
        .list();
  }

  /**
   * Writes what came of attempts, and has the next of their resources sent. The rows of their
   * endpoints are locked.
   *
   * @return those whose delivery this changed, which others have neither ended nor taken meanwhile
   */
  List<Ended> record(Handle tx, Collection<Ended> all, String worker, Instant now) {
    PreparedBatch batch = tx.prepareBatch(RECORD);
    for (Ended ended : all) {
      boolean pending = ended.status() == DeliveryStatus.PENDING;
      bind(batch, ended)
          .bind("worker", worker)
          .bind("outcome", ended.status().name())
          .bind("next", ended.next())
          .bind("failure", ended.failure())
          .bind("completed", pending ? Optional.<Instant>empty() : Optional.of(now))
          .add();
    }
    int[] written = batch.execute();
    List<Ended> changed = new ArrayList<>();
    List<Ended> late = new ArrayList<>();
    int index = 0;
    for (Ended ended : all) {
      (written[index++] > 0 ? changed : late).add(ended);
    }
    keepLate(tx, late);
    tx.createUpdate(TAKEN)
        .bind("now", now)
        .bindArray(
            "webhooks",
            String.class,
            changed.stream()
                .filter(it -> it.status() == DeliveryStatus.DELIVERED)
                .map(it -> it.sending().endpoint().id().value())
                .distinct()
                .toList())
        .execute();
    nextTurn(tx, all, now);
    return changed;
  }

  /** Gives back what was not attempted. The rows of the endpoints are locked. */
  void postpone(Handle tx, Collection<Sending> all, String worker, Instant due) {
    if (!all.isEmpty()) {
      tx.createUpdate(POSTPONE)
          .bind(0, due)
          .bindArray(1, String.class, all.stream().map(it -> it.id().value()).toList())
          .bind(2, worker)
          .execute();
    }
  }

  private static void keepLate(Handle tx, Collection<Ended> late) {
    if (!late.isEmpty()) {
      PreparedBatch batch = tx.prepareBatch(KEEP_LATE);
      late.forEach(ended -> bind(batch, ended).add());
      batch.execute();
    }
  }

  private static PreparedBatch bind(PreparedBatch batch, Ended ended) {
    Attempt attempt = ended.attempt();
    Optional<Attempt.Answer> answer = attempt.answer();
    return batch
        .bind("id", ended.sending().id().value())
        .bind("number", attempt.number())
        .bind("at", attempt.at())
        .bind("took", attempt.took().toMillis())
        .bind("request", HeaderText.of(attempt.requestHeaders()))
        .bind("answered", answer.map(Attempt.Answer::status))
        .bind("headers", answer.map(it -> HeaderText.of(it.headers())))
        .bind("body", answer.map(Attempt.Answer::body))
        .bind("error", attempt.error());
  }

  private static void nextTurn(Handle tx, Collection<Ended> all, Instant now) {
    List<Sending> firsts =
        all.stream().map(Ended::sending).filter(Sending::isFirst).distinct().toList();
    tx.createUpdate(NEXT_TURN)
        .bindArray(
            "webhooks",
            String.class,
            firsts.stream().map(it -> it.endpoint().id().value()).toList())
        .bindArray("resources", String.class, firsts.stream().map(Sending::resource).toList())
        .bind("now", now)
        .execute();
  }

  /** Whether the endpoint has taken anything since. */
  boolean hasTaken(Handle tx, WebhookId webhook, Instant since) {
    return tx.createQuery(TAKEN_SINCE)
        .bind(0, since)
        .bind(1, webhook.value())
        .mapTo(Boolean.class)
        .one();
  }

  private Sending sending(ResultSet row, Instant now) throws SQLException {
    Endpoint endpoint = endpoint(row, "webhook_id");
    byte[] secret = row.getBytes("secret");
    Timestamp formerUntil = row.getTimestamp("former_until");
    Optional<byte[]> former =
        formerUntil != null && formerUntil.toInstant().isAfter(now)
            ? Optional.of(row.getBytes("former_secret"))
            : Optional.empty();
    return new Sending(
        new DeliveryId(row.getString("id")),
        endpoint,
        new EventId(row.getString("event_id")),
        row.getString("resource"),
        row.getInt("attempt_count") + 1,
        row.getTimestamp("created_at").toInstant(),
        row.getString("url"),
        // One that does not open is a matter of its endpoint, not of all that are taken with it.
        () ->
            Stream.concat(Stream.of(secret), former.stream())
                .map(sealed -> opened(sealed, endpoint.id()))
                .toList(),
        row.getString("body"));
  }

  private Secret opened(byte[] sealed, WebhookId webhook) {
    return new Secret(new String(vault.open(sealed, webhook.value()), StandardCharsets.UTF_8));
  }

  private static Endpoint endpoint(ResultSet row, String id) throws SQLException {
    return new Endpoint(
        new WebhookId(row.getString(id)), new AccountId(row.getString("account_id")));
  }
}
