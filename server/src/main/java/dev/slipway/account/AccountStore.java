package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.ApiKeyId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
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
      """;

  private static final String INSERT_KEY =
      """
      INSERT INTO api_key (id, account_id, name, hint, hash, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """;

  private static final String BY_KEY =
      """
      SELECT a.id, a.tier, a.created_at
        FROM api_key k JOIN account a ON a.id = k.account_id
       WHERE k.hash = ? AND k.revoked_at IS NULL
      """;

  boolean any(Handle tx) {
    return tx.createQuery(ANY).mapTo(Boolean.class).one();
  }

  Optional<AccountId> first(Handle tx) {
    return tx.createQuery(FIRST).mapTo(AccountId.class).findOne();
  }

  void insert(Handle tx, Account account) {
    tx.execute(INSERT_ACCOUNT, account.id().value(), account.tier(), account.createdAt());
  }

  void insert(Handle tx, User user) {
    tx.execute(
        INSERT_USER,
        user.id().value(),
        user.accountId().value(),
        user.email(),
        user.passwordHash(),
        user.role(),
        user.createdAt());
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

  Optional<Account> byKeyHash(Handle tx, byte[] hash) {
    return tx.createQuery(BY_KEY).bind(0, hash).map(AccountStore::account).findOne();
  }

  private static Account account(ResultSet row, StatementContext context) throws SQLException {
    return new Account(
        new AccountId(row.getString("id")),
        row.getString("tier"),
        row.getTimestamp("created_at").toInstant());
  }
}
