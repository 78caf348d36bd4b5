package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.ApiKeyId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Rows of accounts, users and API keys. Every call runs in the caller's transaction. */
public final class AccountStore {
  private static final String ANY = "SELECT EXISTS (SELECT FROM account)";

  private static final String FIRST = "SELECT id FROM account ORDER BY id LIMIT 1";

  private static final String INSERT_ACCOUNT =
      "INSERT INTO account (id, tier, created_at) VALUES (?, ?, ?)";

  private static final String INSERT_USER =
      """
      INSERT INTO app_user (id, account_id, email, password_hash, role, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (lower(email)) DO NOTHING
      """;

  private static final String INSERT_KEY =
      """
      INSERT INTO api_key (id, account_id, name, hint, hash, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """;

  private static final String ACCOUNTS = "SELECT id, tier, created_at FROM account ORDER BY id";

  private static final String ACCOUNT = "SELECT id, tier, created_at FROM account WHERE id = ?";

  private static final String BY_EMAIL =
      """
      SELECT a.id, a.tier, a.created_at
        FROM app_user u JOIN account a ON a.id = u.account_id
       WHERE lower(u.email) = lower(?)
      """;

  private static final String USERS =
      """
      SELECT id, account_id, email, password_hash, role, created_at FROM app_user ORDER BY id
      """;

  private static final String KEYS =
      """
      SELECT id, account_id, name, hint, created_at, last_used_at, revoked_at FROM api_key
      """;

  private static final String SET_TIER = "UPDATE account SET tier = ? WHERE id = ?";

  private static final String SET_PASSWORD =
      "UPDATE app_user SET password_hash = ? WHERE lower(email) = lower(?)";

  private static final String REVOKE =
      "UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";

  boolean any(Handle tx) {
    return tx.createQuery(ANY).mapTo(Boolean.class).one();
  }

  Optional<AccountId> first(Handle tx) {
    return tx.createQuery(FIRST).mapTo(AccountId.class).findOne();
  }

  void insert(Handle tx, Account account) {
    tx.execute(INSERT_ACCOUNT, account.id().value(), account.tier(), account.createdAt());
  }

  /** False where another user has the e-mail address. */
  boolean insert(Handle tx, User user) {
    int inserted =
        tx.execute(
            INSERT_USER,
            user.id().value(),
            user.accountId().value(),
            user.email(),
            user.passwordHash(),
            user.role(),
            user.createdAt());
    return inserted > 0;
  }

  void insertKey(
      Handle tx,
      ApiKeyId id,
      AccountId account,
      String name,
      String hint,
      byte[] hash,
      Instant now) {
    tx.execute(INSERT_KEY, id.value(), account.value(), name, hint, hash, now);
  }

  List<Account> accounts(Handle tx) {
    return tx.createQuery(ACCOUNTS).map(AccountStore::account).list();
  }

  Optional<Account> byId(Handle tx, AccountId id) {
    return tx.createQuery(ACCOUNT).bind(0, id.value()).map(AccountStore::account).findOne();
  }

  /** The account of the user with that address, in whatever case. */
  Optional<Account> byEmail(Handle tx, String email) {
    return tx.createQuery(BY_EMAIL).bind(0, email).map(AccountStore::account).findOne();
  }

  List<User> users(Handle tx) {
    return tx.createQuery(USERS).mapTo(User.class).list();
  }

  List<ApiKey> keys(Handle tx) {
    return tx.createQuery(KEYS + "ORDER BY id").mapTo(ApiKey.class).list();
  }

  List<ApiKey> keys(Handle tx, AccountId account) {
    return tx.createQuery(KEYS + "WHERE account_id = ? ORDER BY id")
        .bind(0, account.value())
        .mapTo(ApiKey.class)
        .list();
  }

  Optional<ApiKey> key(Handle tx, ApiKeyId id) {
    return tx.createQuery(KEYS + "WHERE id = ?").bind(0, id.value()).mapTo(ApiKey.class).findOne();
  }

  void setTier(Handle tx, AccountId id, String tier) {
    tx.execute(SET_TIER, tier, id.value());
  }

  /** False where no user has the e-mail address. */
  boolean setPassword(Handle tx, String email, String hash) {
    return tx.execute(SET_PASSWORD, hash, email) > 0;
  }

  /** False where it is unknown or was revoked before. */
  boolean revoke(Handle tx, ApiKeyId id, Instant now) {
    return tx.execute(REVOKE, now, id.value()) > 0;
  }

  private static Account account(ResultSet row, StatementContext context) throws SQLException {
    return new Account(
        new AccountId(row.getString("id")),
        row.getString("tier"),
        row.getTimestamp("created_at").toInstant());
  }
}
