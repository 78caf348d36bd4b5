package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.SessionId;
import dev.slipway.core.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Rows of sessions. Every call runs in the caller's transaction. */
final class SessionStore {
  private static final Duration NOTE_USE_EVERY = Duration.ofMinutes(1);
  private static final Duration IDLE_LIMIT = Duration.ofDays(14);
  private static final Duration AGE_LIMIT = Duration.ofDays(90);

  // The user's row is held, so that whoever changes the password at this moment ends this one too.
  private static final String INSERT =
      """
      INSERT INTO session (id, user_id, hash, address, user_agent, created_at, last_seen_at)
      SELECT :id, id, :hash, :address, :user_agent, :now, :now
        FROM app_user WHERE id = :user AND password_hash = :password_hash FOR SHARE
      """;

  private static final String FIND =
      """
      WITH found AS (
        SELECT s.id AS session_id, u.id AS user_id, u.email, u.name, u.role,
               a.id AS account_id, a.tier, a.created_at
          FROM session s
          JOIN app_user u ON u.id = s.user_id
          JOIN account a ON a.id = u.account_id
         WHERE s.hash = :hash AND s.created_at > :created_after AND s.last_seen_at > :seen_after
      ), noted AS (
        UPDATE session SET last_seen_at = :now
         WHERE id = (SELECT session_id FROM found) AND last_seen_at <= :note_again
      )
      SELECT * FROM found
      """;

  private static final String LASTS =
      """
      SELECT EXISTS (
        SELECT FROM session WHERE id = ? AND created_at > ? AND last_seen_at > ?)
      """;

  private static final String LIST =
      """
      SELECT id, created_at, last_seen_at, address, user_agent
        FROM session
       WHERE user_id = ? AND created_at > ? AND last_seen_at > ?
       ORDER BY last_seen_at DESC, id COLLATE "C" DESC
      """;

  private static final String END = "DELETE FROM session WHERE user_id = ? AND id = ?";

  private static final String END_BY_TOKEN = "DELETE FROM session WHERE hash = ? RETURNING id";

  private static final String RENEW = "UPDATE session SET hash = ? WHERE id = ?";

  private static final String END_OTHERS = "DELETE FROM session WHERE user_id = ? AND id <> ?";

  private static final String END_ALL = "DELETE FROM session WHERE user_id = ?";

  private static final String FORGET =
      "DELETE FROM session WHERE created_at <= ? OR last_seen_at <= ?";

  /** False where the user is gone or has another password by now. */
  boolean insert(
      Handle tx,
      SessionId id,
      Login login,
      byte[] tokenHash,
      Sessions.Visitor visitor,
      Instant now) {
    int inserted =
        tx.createUpdate(INSERT)
            .bind("id", id.value())
            .bind("hash", tokenHash)
            .bind("address", visitor.address())
            .bind("user_agent", visitor.userAgent())
            .bind("now", now)
            .bind("user", login.userId().value())
            .bind("password_hash", login.passwordHash())
            .execute();
    return inserted > 0;
  }

  Optional<SignedIn> find(Handle tx, byte[] tokenHash, Instant now) {
    return tx.createQuery(FIND)
        .bind("hash", tokenHash)
        .bind("created_after", now.minus(AGE_LIMIT))
        .bind("seen_after", now.minus(IDLE_LIMIT))
        .bind("now", now)
        .bind("note_again", now.minus(NOTE_USE_EVERY))
        .map(SessionStore::signedIn)
        .findOne();
  }

  boolean lasts(Handle tx, SessionId id, Instant now) {
    return tx.createQuery(LASTS)
        .bind(0, id.value())
        .bind(1, now.minus(AGE_LIMIT))
        .bind(2, now.minus(IDLE_LIMIT))
        .mapTo(Boolean.class)
        .one();
  }

  /** Last seen first. */
  List<Session> list(Handle tx, UserId user, Instant now) {
    return tx.createQuery(LIST)
        .bind(0, user.value())
        .bind(1, now.minus(AGE_LIMIT))
        .bind(2, now.minus(IDLE_LIMIT))
        .mapTo(Session.class)
        .list();
  }

  /** False where the user has no such session. */
  boolean end(Handle tx, UserId user, SessionId id) {
    return tx.execute(END, user.value(), id.value()) > 0;
  }

  /** Empty where it has ended. */
  Optional<SessionId> end(Handle tx, byte[] tokenHash) {
    return tx.createQuery(END_BY_TOKEN).bind(0, tokenHash).mapTo(SessionId.class).findOne();
  }

  /** From now on it has another token. */
  void renew(Handle tx, SessionId id, byte[] tokenHash) {
    tx.execute(RENEW, tokenHash, id.value());
  }

  int endOthers(Handle tx, UserId user, SessionId kept) {
    return tx.execute(END_OTHERS, user.value(), kept.value());
  }

  void endAll(Handle tx, UserId user) {
    tx.execute(END_ALL, user.value());
  }

  void forget(Handle tx, Instant now) {
    tx.execute(FORGET, now.minus(AGE_LIMIT), now.minus(IDLE_LIMIT));
  }

  private static SignedIn signedIn(ResultSet row, StatementContext context) throws SQLException {
    return new SignedIn(
        new UserId(row.getString("user_id")),
        row.getString("email"),
        row.getString("name"),
        Role.valueOf(row.getString("role")),
        new Account(
            new AccountId(row.getString("account_id")),
            row.getString("tier"),
            row.getTimestamp("created_at").toInstant()),
        new SessionId(row.getString("session_id")));
  }
}
