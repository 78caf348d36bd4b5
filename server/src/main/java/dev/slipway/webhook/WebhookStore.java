package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.Secret;
import dev.slipway.core.WebhookId;
import dev.slipway.event.EventType;
import dev.slipway.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Rows of endpoints. Every call runs in the caller's transaction. Several rows are locked in the
 * order of their ids.
 */
final class WebhookStore {
  private static final String INSERT =
      """
      INSERT INTO webhook (id, account_id, url, events, enabled, secret, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String FIND = "SELECT * FROM webhook WHERE id = ? AND deleted_at IS NULL";

  private static final String LOCK = FIND + " FOR NO KEY UPDATE";

  private static final String LOCK_ALL =
      """
      SELECT id FROM webhook WHERE id = ANY(?) ORDER BY id COLLATE "C" FOR NO KEY UPDATE
      """;

  private static final String LOCK_ENABLED =
      """
      SELECT * FROM webhook WHERE account_id = ANY(?) AND enabled
       ORDER BY id COLLATE "C" FOR NO KEY UPDATE
      """;

  private static final String LIST =
      """
      SELECT * FROM webhook WHERE account_id = :account AND deleted_at IS NULL %s
       ORDER BY id COLLATE "C" DESC LIMIT :limit
      """;

  private static final String COUNT =
      "SELECT count(*) FROM webhook WHERE account_id = ? AND deleted_at IS NULL";

  private static final String LOCK_ACCOUNT =
      "SELECT id FROM account WHERE id = ? FOR NO KEY UPDATE";

  private static final String UPDATE =
      """
      UPDATE webhook
         SET url = ?, events = ?, enabled = ?, disabled_reason = ?, updated_at = ?,
             period = CASE WHEN enabled AND NOT ? THEN period + 1 ELSE period END
       WHERE id = ?
      """;

  private static final String ROTATE =
      """
      UPDATE webhook
         SET former_secret = secret, former_until = ?, secret = ?, updated_at = ?
       WHERE id = ?
      """;

  private static final String MARK_DELETED =
      "UPDATE webhook SET enabled = false, deleted_at = ?, updated_at = ? WHERE id = ?";

  private static final String DELETE =
      "DELETE FROM webhook WHERE id = ? AND deleted_at IS NOT NULL";

  private static final String LOCK_DELETED =
      "SELECT deleted_at IS NOT NULL FROM webhook WHERE id = ? FOR UPDATE";

  private final Vault vault;

  WebhookStore(Vault vault) {
    this.vault = vault;
  }

  void insert(Handle tx, Webhook webhook, Secret secret) {
    tx.execute(
        INSERT,
        webhook.id().value(),
        webhook.accountId().value(),
        webhook.url(),
        names(webhook.events()),
        webhook.enabled(),
        sealed(secret, webhook.id()),
        webhook.createdAt(),
        webhook.updatedAt());
  }

  Optional<Webhook> find(Handle tx, WebhookId id) {
    return tx.createQuery(FIND).bind(0, id.value()).map((row, _) -> webhook(row)).findOne();
  }

  /** {@link #find}, its row locked until the transaction ends. */
  Optional<Webhook> lock(Handle tx, WebhookId id) {
    return tx.createQuery(LOCK).bind(0, id.value()).map((row, _) -> webhook(row)).findOne();
  }

  void lock(Handle tx, Collection<WebhookId> ids) {
    tx.createQuery(LOCK_ALL)
        .bindArray(0, String.class, ids.stream().map(WebhookId::value).toList())
        .mapTo(String.class)
        .list();
  }

  /** The enabled ones of the accounts, locked until the transaction ends. */
  List<Webhook> lockEnabled(Handle tx, Collection<AccountId> accounts) {
    return tx.createQuery(LOCK_ENABLED)
        .bindArray(0, String.class, accounts.stream().map(AccountId::value).toList())
        .map((row, _) -> webhook(row))
        .list();
  }

  /** Newest first, those before {@code before}. */
  List<Webhook> list(Handle tx, AccountId account, Optional<WebhookId> before, int limit) {
    var query =
        tx.createQuery(LIST.formatted(before.isPresent() ? "AND id COLLATE \"C\" < :before" : ""));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query
        .bind("account", account.value())
        .bind("limit", limit)
        .map((row, _) -> webhook(row))
        .list();
  }

  /** Until the transaction ends nobody else adds one to the account, who asks for this first. */
  int lockAndCount(Handle tx, AccountId account) {
    var _ = tx.createQuery(LOCK_ACCOUNT).bind(0, account.value()).mapTo(String.class).one();
    return tx.createQuery(COUNT).bind(0, account.value()).mapTo(Integer.class).one();
  }

  void update(Handle tx, Webhook webhook) {
    tx.execute(
        UPDATE,
        webhook.url(),
        names(webhook.events()),
        webhook.enabled(),
        webhook.disabledReason().orElse(null),
        webhook.updatedAt(),
        webhook.enabled(),
        webhook.id().value());
  }

  /**
   * Gives it another secret; the one that it has goes on to sign for a while.
   *
   * @param formerUntil the end of that
   */
  void rotate(Handle tx, WebhookId id, Secret secret, Instant formerUntil, Instant now) {
    tx.execute(ROTATE, formerUntil, sealed(secret, id), now, id.value());
  }

  /** Nobody finds it any more, and nothing is sent to it; its row stays for its deliveries. */
  void markDeleted(Handle tx, WebhookId id, Instant now) {
    tx.execute(MARK_DELETED, now, now, id.value());
  }

  /**
   * Whether it was marked so, its row locked until the transaction ends.
   *
   * @return empty where there is no row any more
   */
  Optional<Boolean> lockDeleted(Handle tx, WebhookId id) {
    return tx.createQuery(LOCK_DELETED).bind(0, id.value()).mapTo(Boolean.class).findOne();
  }

  /** One that was marked, and has no deliveries any more. */
  void delete(Handle tx, WebhookId id) {
    tx.execute(DELETE, id.value());
  }

  private byte[] sealed(Secret secret, WebhookId id) {
    return vault.seal(secret.reveal().getBytes(StandardCharsets.UTF_8), id.value());
  }

  private static String[] names(List<EventType> events) {
    return events.stream().map(EventType::name).toArray(String[]::new);
  }

  private static Webhook webhook(ResultSet row) throws SQLException {
    return new Webhook(
        new WebhookId(row.getString("id")),
        new AccountId(row.getString("account_id")),
        row.getString("url"),
        Arrays.stream((String[]) row.getArray("events").getArray())
            .map(EventType::valueOf)
            .toList(),
        row.getBoolean("enabled"),
        Optional.ofNullable(row.getString("disabled_reason")),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant());
  }
}
