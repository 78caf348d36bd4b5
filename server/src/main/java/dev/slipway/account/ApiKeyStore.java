package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.ApiKeyId;
import dev.slipway.core.Secret;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows of API keys. Every call runs in the caller's transaction. */
final class ApiKeyStore {
  private static final String INSERT =
      """
      INSERT INTO api_key (id, account_id, name, hint, hash, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """;

  private static final String KEYS =
      """
      SELECT id, account_id, name, hint, created_at, last_used_at, revoked_at FROM api_key
      """;

  private static final String REVOKE =
      "UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";

  /** Makes a key of a text that is there already. */
  ApiKey insert(Handle tx, AccountId account, KeyName name, Secret text, Instant now) {
    ApiKey key =
        new ApiKey(
            ApiKeyId.next(),
            account,
            name.value(),
            ApiKeyText.hint(text),
            now,
            Optional.empty(),
            Optional.empty());
    tx.execute(
        INSERT,
        key.id().value(),
        account.value(),
        key.name(),
        key.hint(),
        RandomText.hash(text),
        now);
    return key;
  }

  /** Makes a key. */
  MadeKey make(Handle tx, AccountId account, KeyName name, Instant now) {
    Secret text = ApiKeyText.generate();
    return new MadeKey(insert(tx, account, name, text, now), text);
  }

  /** Of all accounts, oldest first. */
  List<ApiKey> all(Handle tx) {
    return tx.createQuery(KEYS + "ORDER BY id COLLATE \"C\"").mapTo(ApiKey.class).list();
  }

  /** Oldest first, those that were revoked among them. */
  List<ApiKey> of(Handle tx, AccountId account) {
    return tx.createQuery(KEYS + "WHERE account_id = ? ORDER BY id COLLATE \"C\"")
        .bind(0, account.value())
        .mapTo(ApiKey.class)
        .list();
  }

  Optional<ApiKey> find(Handle tx, ApiKeyId id) {
    return tx.createQuery(KEYS + "WHERE id = ?").bind(0, id.value()).mapTo(ApiKey.class).findOne();
  }

  /** False where it is unknown or was revoked before. */
  boolean revoke(Handle tx, ApiKeyId id, Instant now) {
    return tx.execute(REVOKE, now, id.value()) > 0;
  }
}
