package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows that say who did what. Every call runs in the caller's transaction. */
public final class AuditStore {
  private static final String WRITE_OF_KEY =
      """
      INSERT INTO audit (account_id, api_key_id, actor, action, subject, detail, at)
      SELECT account_id, id, name, ?, ?, ?, ?
        FROM api_key WHERE account_id = ? AND hash = ? AND revoked_at IS NULL
      """;

  private static final String WRITE_OF_USER =
      """
      INSERT INTO audit (account_id, user_id, actor, action, subject, detail, at)
      SELECT u.account_id, u.id, u.email, ?, ?, ?, ?
        FROM session s JOIN app_user u ON u.id = s.user_id
       WHERE u.account_id = ? AND s.id = ?
      """;

  private static final String LIST =
      """
      SELECT id, at, actor, api_key_id IS NOT NULL AS by_key, action, subject, detail
        FROM audit
       WHERE account_id = ? AND id < ?
       ORDER BY id DESC LIMIT ?
      """;

  private static final String FIRST =
      """
      SELECT DISTINCT ON (subject) id, at, actor, api_key_id IS NOT NULL AS by_key, action, subject, detail
        FROM audit
       WHERE account_id = ? AND subject = ANY(?)
       ORDER BY subject, id
      """;

  /** Writes what a word says enough about. */
  public void write(
      Handle tx, AccountId account, Actor actor, String action, String subject, Instant now) {
    write(tx, account, actor, action, subject, "", now);
  }

  /**
   * @param action such as {@code env_vars.reveal}
   * @param subject the id of what it was done to
   * @param detail for people
   * @throws RequestException {@code UNAUTHORIZED} where the key was revoked, or the session ended,
   *     a moment ago
   */
  public void write(
      Handle tx,
      AccountId account,
      Actor actor,
      String action,
      String subject,
      String detail,
      Instant now) {
    switch (actor) {
      case Actor.Key(Secret key) ->
          require(
              tx.execute(
                  WRITE_OF_KEY,
                  action,
                  subject,
                  detail,
                  now,
                  account.value(),
                  RandomText.hash(key)),
              "The API key is unknown or revoked.");
      case Actor.User(SignedIn who) ->
          require(
              tx.execute(
                  WRITE_OF_USER,
                  action,
                  subject,
                  detail,
                  now,
                  account.value(),
                  who.session().value()),
              "You are signed out; sign in again.");
    }
  }

  /** Newest first, those before {@code before}. */
  List<AuditEntry> list(Handle tx, AccountId account, Optional<Long> before, int limit) {
    return tx.createQuery(LIST)
        .bind(0, account.value())
        .bind(1, before.orElse(Long.MAX_VALUE))
        .bind(2, limit)
        .mapTo(AuditEntry.class)
        .list();
  }

  /** The first of each subject that has any. */
  List<AuditEntry> first(Handle tx, AccountId account, Collection<String> subjects) {
    return tx.createQuery(FIRST)
        .bind(0, account.value())
        .bindArray(1, String.class, subjects)
        .mapTo(AuditEntry.class)
        .list();
  }

  private static void require(int written, String otherwise) {
    if (written != 1) {
      throw new RequestException(ErrorCode.UNAUTHORIZED, otherwise);
    }
  }
}
