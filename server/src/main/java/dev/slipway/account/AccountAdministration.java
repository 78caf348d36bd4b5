package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.ApiKeyId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Nearest;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.UserId;
import dev.slipway.db.Database;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * What the operator does with accounts, users and keys. A change holds for the very next request.
 * Thread-safe.
 *
 * <p>All methods throw {@link RequestException}: {@code NOT_FOUND} for what is not there, {@code
 * CONFLICT} for an e-mail address that is taken, {@code INVALID_REQUEST} for the rest.
 */
public final class AccountAdministration {
  private final Database database;
  private final AccountStore store;
  private final UserStore users = new UserStore();
  private final ApiKeyStore keys = new ApiKeyStore();
  private final SessionStore sessions = new SessionStore();
  private final KnownBrowsers browsers = new KnownBrowsers();
  private final NavigableSet<String> tiers;
  private final Clock clock;

  /**
   * @param tiers the configured ones
   */
  public AccountAdministration(
      Database database, AccountStore store, Iterable<String> tiers, Clock clock) {
    this.database = database;
    this.store = store;
    this.tiers = new TreeSet<>();
    tiers.forEach(this.tiers::add);
    this.clock = clock;
  }

  /** An account with what opens it, which is told this once. */
  public record MadeAccount(
      Account account, UserId user, String email, Secret password, MadeKey key) {}

  /**
   * @param emails of its users
   * @param keys those that open it
   */
  public record Summary(Account account, List<String> emails, long keys) {}

  /**
   * Makes an account, its owner and its first key.
   *
   * @param password made up where it is absent
   */
  public MadeAccount create(String email, String tier, Optional<Secret> password) {
    EmailAddress address = new EmailAddress(email);
    requireTier(tier);
    password.ifPresent(Passwords::check);
    Secret chosen = password.orElseGet(RandomText::password);
    String hash = Passwords.hash(chosen);
    return database.inTransaction(tx -> {
      Account account = new Account(AccountId.next(), tier, clock.instant());
      store.insert(tx, account);
      User owner =
          new User(
              UserId.next(), account.id(), address.value(), "", Role.OWNER, account.createdAt());
      if (!users.insert(tx, owner, hash)) {
        throw new RequestException(
            ErrorCode.CONFLICT, "The e-mail address %s is a user's already.".formatted(email));
      }
      return new MadeAccount(
          account,
          owner.id(),
          owner.email(),
          chosen,
          keys.make(tx, account.id(), KeyName.FIRST, account.createdAt()));
    });
  }

  /** All accounts, oldest first. */
  public List<Summary> list() {
    return database.read(tx -> {
      Map<AccountId, List<String>> emails =
          users.all(tx).stream()
              .collect(
                  Collectors.groupingBy(
                      User::accountId, Collectors.mapping(User::email, Collectors.toList())));
      Map<AccountId, Long> keys =
          this.keys.all(tx).stream()
              .filter(key -> key.revokedAt().isEmpty())
              .collect(Collectors.groupingBy(ApiKey::accountId, Collectors.counting()));
      return store.accounts(tx).stream()
          .map(account ->
              new Summary(
                  account,
                  emails.getOrDefault(account.id(), List.of()),
                  keys.getOrDefault(account.id(), 0L)))
          .toList();
    });
  }

  /**
   * @param account an id, or a user's e-mail address
   */
  public Account changeTier(String account, String tier) {
    requireTier(tier);
    return database.inTransaction(tx -> {
      Account found = find(tx, account);
      store.setTier(tx, found.id(), tier);
      return new Account(found.id(), tier, found.createdAt());
    });
  }

  /**
   * @param account an id, or a user's e-mail address
   * @param name for people, to tell keys apart
   */
  public MadeKey createKey(String account, String name) {
    KeyName shown = new KeyName(name);
    return database.inTransaction(
        tx -> keys.make(tx, find(tx, account).id(), shown, clock.instant()));
  }

  /** The account's keys, oldest first, those that were revoked among them. */
  public List<ApiKey> keys(String account) {
    return database.read(tx -> keys.of(tx, find(tx, account).id()));
  }

  /** Whether it opened anything until now; a key that was revoked before keeps its time. */
  public boolean revoke(ApiKeyId key) {
    return database.inTransaction(tx -> {
      if (keys.revoke(tx, key, clock.instant())) {
        return true;
      }
      if (keys.find(tx, key).isEmpty()) {
        throw new RequestException(ErrorCode.NOT_FOUND, "There is no key %s.".formatted(key));
      }
      return false;
    });
  }

  /**
   * Sets a user's password, and ends all sessions of the user.
   *
   * @param password made up where it is absent
   * @return the new password
   */
  public Secret setPassword(String email, Optional<Secret> password) {
    password.ifPresent(Passwords::check);
    Secret chosen = password.orElseGet(RandomText::password);
    String hash = Passwords.hash(chosen);
    return database.inTransaction(tx -> {
      UserId user =
          users
              .resetPassword(tx, email, hash)
              .orElseThrow(() ->
                  new RequestException(
                      ErrorCode.NOT_FOUND, "No user has the e-mail address %s.".formatted(email)));
      sessions.endAll(tx, user);
      browsers.forgetAll(tx, user);
      return chosen;
    });
  }

  private Account find(Handle tx, String account) {
    return (account.contains("@")
            ? store.byEmail(tx, account)
            : store.byId(tx, new AccountId(account)))
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.NOT_FOUND,
                "No account has the id or e-mail address %s.".formatted(account)));
  }

  private void requireTier(String tier) {
    if (!tiers.contains(tier)) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          Nearest.to(tier, tiers)
              .map(near -> "There is no tier %s; did you mean %s?".formatted(tier, near))
              .orElseGet(() ->
                  "There is no tier %s; there are %s.".formatted(tier, String.join(", ", tiers))));
    }
  }
}
