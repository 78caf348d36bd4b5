package dev.slipway.account;

import dev.slipway.core.AccountId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Finds the owner of a key and counts its request, in one statement. */
final class CallerStore {
  private static final Duration NOTE_USE_EVERY = Duration.ofMinutes(1);

  // The window only moves forward, so that a replica whose clock is behind does not begin it anew;
  // save one that lies more than an hour ahead, which only a clock that was wrong can have begun.
  private static final String ADD =
      """
        ON CONFLICT (subject) DO UPDATE
           SET minute = CASE WHEN c.minute > excluded.minute + 60 THEN excluded.minute
                             ELSE greatest(c.minute, excluded.minute) END,
               requests = excluded.requests
                 + CASE WHEN c.minute BETWEEN excluded.minute AND excluded.minute + 60
                        THEN c.requests ELSE 0 END
        RETURNING minute, requests
      """;

  private static final String COUNT =
      """
      WITH caller AS (
        SELECT k.id AS key_id, a.id, a.tier, a.created_at
          FROM api_key k JOIN account a ON a.id = k.account_id
         WHERE k.hash = :hash AND k.revoked_at IS NULL
      ), noted AS (
        UPDATE api_key SET last_used_at = :now
         WHERE id = (SELECT key_id FROM caller)
           AND (last_used_at IS NULL OR last_used_at <= :note_again)
      ), counted AS (
        INSERT INTO request_count AS c (subject, minute, requests)
        VALUES (coalesce((SELECT id FROM caller), :address), :minute, :requests)
      """
          + ADD
          + """
          )
          SELECT caller.id, caller.tier, caller.created_at, counted.minute, counted.requests
            FROM counted LEFT JOIN caller ON true
          """;

  private static final String COUNT_ACCOUNT =
      """
      WITH counted AS (
        INSERT INTO request_count AS c (subject, minute, requests)
        VALUES (:account, :minute, 1)
      """
          + ADD
          + """
          )
          SELECT account.id, account.tier, account.created_at, counted.minute, counted.requests
            FROM counted JOIN account ON account.id = :account
          """;

  private static final String REQUESTS =
      "SELECT requests FROM request_count WHERE subject = ? AND minute BETWEEN ? AND ? + 60";

  private static final String OPENS =
      "SELECT EXISTS (SELECT FROM api_key WHERE hash = ? AND revoked_at IS NULL)";

  private static final String FORGET = "DELETE FROM request_count WHERE minute < ?";

  /**
   * @param hash of the key; of no key at all where it is empty
   * @param address whose requests are counted where the key opens nothing
   * @param minute since the epoch
   * @param requests 1, or 0 to look only
   */
  Callers.Caller count(
      Handle tx, byte[] hash, String address, long minute, int requests, Instant now) {
    return tx.createQuery(COUNT)
        .bind("hash", hash)
        .bind("now", now)
        .bind("note_again", now.minus(NOTE_USE_EVERY))
        .bind("address", address)
        .bind("minute", minute)
        .bind("requests", requests)
        .map(CallerStore::caller)
        .one();
  }

  /** Counts a request of an account that no key was needed for. */
  Callers.Caller count(Handle tx, AccountId account, long minute) {
    return tx.createQuery(COUNT_ACCOUNT)
        .bind("account", account.value())
        .bind("minute", minute)
        .map(CallerStore::caller)
        .one();
  }

  long requests(Handle tx, AccountId account, long minute) {
    return tx.createQuery(REQUESTS)
        .bind(0, account.value())
        .bind(1, minute)
        .bind(2, minute)
        .mapTo(Long.class)
        .findOne()
        .orElse(0L);
  }

  boolean opens(Handle tx, byte[] hash) {
    return tx.createQuery(OPENS).bind(0, hash).mapTo(Boolean.class).one();
  }

  int forget(Handle tx, long beforeMinute) {
    return tx.execute(FORGET, beforeMinute);
  }

  private static Callers.Caller caller(ResultSet row, StatementContext context)
      throws SQLException {
    Optional<String> id = Optional.ofNullable(row.getString("id"));
    Optional<Account> account =
        id.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Account(
                    new AccountId(id.get()),
                    row.getString("tier"),
                    row.getTimestamp("created_at").toInstant()));
    return new Callers.Caller(
        account, row.getLong("requests"), Instant.ofEpochSecond(60 * (row.getLong("minute") + 1)));
  }
}
