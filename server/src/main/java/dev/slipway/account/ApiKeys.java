package dev.slipway.account;

import dev.slipway.core.ApiKeyId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * The API keys of an account, for its owners. A change holds for the very next request. All methods
 * throw {@link RequestException} {@code FORBIDDEN} unless an owner asks. Thread-safe.
 */
public final class ApiKeys {
  private final Database database;
  private final ApiKeyStore store = new ApiKeyStore();
  private final AuditStore audit = new AuditStore();
  private final Owners owners = new Owners();
  private final Clock clock;

  public ApiKeys(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Oldest first, those that were revoked among them. */
  public List<ApiKey> list(SignedIn who) {
    owners.require(who);
    return database.read(tx -> store.of(tx, who.account().id()));
  }

  /**
   * @param name for people, to tell keys apart
   * @throws RequestException also {@code INVALID_REQUEST} for the name
   */
  public MadeKey create(SignedIn who, String name) {
    KeyName shown = new KeyName(name);
    return database.inTransaction(tx -> {
      owners.lock(tx, who);
      Instant now = clock.instant();
      MadeKey made = store.make(tx, who.account().id(), shown, now);
      write(tx, who, "api_key.create", made.key(), now);
      return made;
    });
  }

  /**
   * A key that was revoked before keeps its time.
   *
   * @throws RequestException also {@code NOT_FOUND}, and {@code FORBIDDEN} for a key of another
   *     account
   */
  public void revoke(SignedIn who, ApiKeyId id) {
    database.useTransaction(tx -> {
      owners.lock(tx, who);
      ApiKey key =
          store
              .find(tx, id)
              .orElseThrow(() ->
                  new RequestException(ErrorCode.NOT_FOUND, "There is no key %s.".formatted(id)));
      if (!key.accountId().equals(who.account().id())) {
        throw new RequestException(
            ErrorCode.FORBIDDEN, "You have no access to key %s.".formatted(id));
      }
      Instant now = clock.instant();
      if (store.revoke(tx, id, now)) {
        write(tx, who, "api_key.revoke", key, now);
      }
    });
  }

  private void write(Handle tx, SignedIn who, String action, ApiKey key, Instant now) {
    audit.write(
        tx, who.account().id(), new Actor.User(who), action, key.id().value(), key.name(), now);
  }
}
