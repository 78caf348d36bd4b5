package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.UserId;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows of the users. Every call runs in the caller's transaction. */
final class UserStore {
  private static final String INSERT =
      """
      INSERT INTO app_user (id, account_id, email, name, password_hash, role, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (lower(email)) DO NOTHING
      """;

  private static final String USERS =
      "SELECT id, account_id, email, name, role, created_at FROM app_user ";

  private static final String MEMBERS =
      """
      SELECT u.id, u.email, u.name, u.role, u.created_at,
             (SELECT max(s.last_seen_at) FROM session s WHERE s.user_id = u.id) AS last_seen_at
        FROM app_user u
       WHERE u.account_id = ?
       ORDER BY u.id COLLATE "C"
      """;

  private static final String OWNERS =
      "SELECT count(*) FROM app_user WHERE account_id = ? AND role = 'OWNER'";

  // Not FOR UPDATE: that would hold up all that refers to the account, such as new projects.
  private static final String LOCK_ALL = "SELECT id FROM account WHERE id = ? FOR NO KEY UPDATE";

  private static final String IS_MEMBER =
      """
      SELECT EXISTS (SELECT FROM app_user WHERE account_id = ? AND lower(email) = lower(?))
      """;

  private static final String LOGIN = "SELECT id AS user_id, password_hash FROM app_user WHERE ";

  private static final String SET_ROLE = "UPDATE app_user SET role = ? WHERE id = ?";

  private static final String SET_NAME = "UPDATE app_user SET name = ? WHERE id = ?";

  private static final String DELETE = "DELETE FROM app_user WHERE id = ?";

  private static final String CHANGE_PASSWORD =
      "UPDATE app_user SET password_hash = ? WHERE id = ? AND password_hash = ?";

  private static final String RESET_PASSWORD =
      "UPDATE app_user SET password_hash = ? WHERE lower(email) = lower(?) RETURNING id";

  /** False where another user has the e-mail address. */
  boolean insert(Handle tx, User user, String passwordHash) {
    int inserted =
        tx.execute(
            INSERT,
            user.id().value(),
            user.accountId().value(),
            user.email(),
            user.name(),
            passwordHash,
            user.role().name(),
            user.createdAt());
    return inserted > 0;
  }

  /** Of all accounts, oldest first. */
  List<User> all(Handle tx) {
    return tx.createQuery(USERS + "ORDER BY id COLLATE \"C\"").mapTo(User.class).list();
  }

  /** Of one account, oldest first. */
  List<Member> members(Handle tx, AccountId account) {
    return tx.createQuery(MEMBERS).bind(0, account.value()).mapTo(Member.class).list();
  }

  int owners(Handle tx, AccountId account) {
    return tx.createQuery(OWNERS).bind(0, account.value()).mapTo(Integer.class).one();
  }

  /** Whoever else asks for this waits until the transaction ends. */
  void lockAll(Handle tx, AccountId account) {
    tx.createQuery(LOCK_ALL).bind(0, account.value()).mapTo(AccountId.class).one();
  }

  Optional<User> find(Handle tx, UserId id) {
    return tx.createQuery(USERS + "WHERE id = ?").bind(0, id.value()).mapTo(User.class).findOne();
  }

  boolean isMember(Handle tx, AccountId account, EmailAddress email) {
    return tx.createQuery(IS_MEMBER)
        .bind(0, account.value())
        .bind(1, email.value())
        .mapTo(Boolean.class)
        .one();
  }

  Optional<Login> login(Handle tx, EmailAddress email) {
    return tx.createQuery(LOGIN + "lower(email) = lower(?)")
        .bind(0, email.value())
        .mapTo(Login.class)
        .findOne();
  }

  Optional<Login> login(Handle tx, UserId id) {
    return tx.createQuery(LOGIN + "id = ?").bind(0, id.value()).mapTo(Login.class).findOne();
  }

  void setRole(Handle tx, UserId id, Role role) {
    tx.execute(SET_ROLE, role.name(), id.value());
  }

  void setName(Handle tx, UserId id, PersonName name) {
    tx.execute(SET_NAME, name.value(), id.value());
  }

  /** With sessions, and the invitations that the user made. */
  void delete(Handle tx, UserId id) {
    tx.execute(DELETE, id.value());
  }

  /** False where it is another one by now. */
  boolean changePassword(Handle tx, Login old, String hash) {
    return tx.execute(CHANGE_PASSWORD, hash, old.userId().value(), old.passwordHash()) > 0;
  }

  /** Empty where no user has the e-mail address. */
  Optional<UserId> resetPassword(Handle tx, String email, String hash) {
    return tx.createQuery(RESET_PASSWORD)
        .bind(0, hash)
        .bind(1, email)
        .mapTo(UserId.class)
        .findOne();
  }
}
