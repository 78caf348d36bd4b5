package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.Secret;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * Who calls, and how often: requests are counted over fixed minutes, for each account, or for each
 * address where there is no valid key. All servers on one store count together. Thread-safe.
 */
public final class Callers {
  private static final byte[] NO_HASH = {};

  private final Database database;
  private final CallerStore store = new CallerStore();
  private final Clock clock;

  public Callers(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * @param account absent where there was no key, or one that is unknown or revoked
   * @param requests in this window, this one included
   * @param windowEnd when counting begins anew
   */
  public record Caller(Optional<Account> account, long requests, Instant windowEnd) {}

  /**
   * Counts a request; blocks.
   *
   * @param address of the client, without regard to how it writes it
   */
  public Caller count(Optional<Secret> key, String address) {
    return ask(key, address, 1);
  }

  /** The same without counting. */
  public Caller look(Optional<Secret> key, String address) {
    return ask(key, address, 0);
  }

  /** Counts a request of the account that came without a key; blocks. */
  public Caller count(AccountId account) {
    return database.statement(tx -> store.count(tx, account, minute(clock.instant())));
  }

  /** How many requests of the account were counted in this window, by whichever key. */
  public long requests(AccountId account) {
    return database.read(tx -> store.requests(tx, account, minute(clock.instant())));
  }

  /** Whether the key is neither unknown nor revoked now. */
  public boolean opens(Secret key) {
    byte[] hash = RandomText.hash(key);
    return database.read(tx -> store.opens(tx, hash));
  }

  /** Deletes what counts no more. */
  public void forgetOldWindows() {
    database.useTransaction(tx -> store.forget(tx, minute(clock.instant()) - 60));
  }

  private Caller ask(Optional<Secret> key, String address, int requests) {
    // The hash is looked up, not the key: timing tells nothing about it.
    byte[] hash =
        key.filter(it -> !ApiKeyText.isMistyped(it.reveal())).map(RandomText::hash).orElse(NO_HASH);
    Instant now = clock.instant();
    return database.statement(
        tx -> store.count(tx, hash, "address " + address, minute(now), requests, now));
  }

  private static long minute(Instant instant) {
    return Math.floorDiv(instant.getEpochSecond(), 60);
  }
}
