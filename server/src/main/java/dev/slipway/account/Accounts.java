package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.Secret;
import dev.slipway.core.UserId;
import dev.slipway.db.Database;
import java.time.Clock;
import java.util.Optional;

/** Accounts, their users and their API keys. Thread-safe. */
public final class Accounts {
  private final Database database;
  private final AccountStore store;
  private final UserStore users = new UserStore();
  private final ApiKeyStore keys = new ApiKeyStore();
  private final Clock clock;

  public Accounts(Database database, AccountStore store, Clock clock) {
    this.database = database;
    this.store = store;
    this.clock = clock;
  }

  /**
   * What the first start needs; what is absent is made up.
   *
   * @param apiKey 32 characters or more, taken as it is
   */
  public record Bootstrap(
      String email, Optional<Secret> password, Optional<Secret> apiKey, String tier) {}

  /** The first account's credentials, to be shown once. */
  public record Credentials(String email, Secret password, Secret apiKey) {}

  /**
   * Makes the first account, its owner and its first key; empty where there is one already.
   *
   * @throws IllegalStateException where the given key is a mistyped one of ours: it would open
   *     nothing
   */
  public Optional<Credentials> bootstrap(Bootstrap bootstrap) {
    if (bootstrap.apiKey().map(Secret::reveal).filter(ApiKeyText::isMistyped).isPresent()) {
      throw new IllegalStateException(
          "bootstrap.api_key has the form of a Slipway key, but its checksum is wrong: copy it again, or give another text of 32 characters or more");
    }
    if (database.read(store::any)) {
      return Optional.empty();
    }
    Secret password = bootstrap.password().orElseGet(RandomText::password);
    Secret key = bootstrap.apiKey().orElseGet(ApiKeyText::generate);
    String passwordHash = Passwords.hash(password);
    return database.inTransaction(tx -> {
      // Two replicas may start at once on one empty store.
      tx.execute("LOCK TABLE account IN EXCLUSIVE MODE");
      if (store.any(tx)) {
        return Optional.empty();
      }
      Account account = new Account(AccountId.next(), bootstrap.tier(), clock.instant());
      store.insert(tx, account);
      User owner =
          new User(
              UserId.next(), account.id(), bootstrap.email(), "", Role.OWNER, account.createdAt());
      if (!users.insert(tx, owner, passwordHash)) {
        throw new IllegalStateException("a user without an account has " + bootstrap.email());
      }
      var _ = keys.insert(tx, account.id(), KeyName.FIRST, key, account.createdAt());
      return Optional.of(new Credentials(bootstrap.email(), password, key));
    });
  }

  /** Whether the store has been used before. */
  public boolean exist() {
    return database.read(store::any);
  }

  /** Whether it is the one that was made at the first start: the operator's own. */
  public boolean isFirst(AccountId account) {
    return database.read(store::first).equals(Optional.of(account));
  }

  /** An account that there is. */
  public Account get(AccountId id) {
    return database.read(tx -> store.byId(tx, id)).orElseThrow();
  }
}
