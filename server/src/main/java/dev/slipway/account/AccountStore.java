package dev.slipway.account;

import dev.slipway.core.AccountId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Rows of accounts. Every call runs in the caller's transaction. */
public final class AccountStore {
  private static final String ANY = "SELECT EXISTS (SELECT FROM account)";

  private static final String FIRST = "SELECT id FROM account ORDER BY id LIMIT 1";

  private static final String INSERT_ACCOUNT =
      "INSERT INTO account (id, tier, created_at) VALUES (?, ?, ?)";

  private static final String ACCOUNTS = "SELECT id, tier, created_at FROM account ORDER BY id";

  private static final String ACCOUNT = "SELECT id, tier, created_at FROM account WHERE id = ?";

  private static final String BY_EMAIL =
      """
      SELECT a.id, a.tier, a.created_at
        FROM app_user u JOIN account a ON a.id = u.account_id
       WHERE lower(u.email) = lower(?)
      """;

  private static final String SET_TIER = "UPDATE account SET tier = ? WHERE id = ?";

  boolean any(Handle tx) {
    return tx.createQuery(ANY).mapTo(Boolean.class).one();
  }

  Optional<AccountId> first(Handle tx) {
    return tx.createQuery(FIRST).mapTo(AccountId.class).findOne();
  }

  void insert(Handle tx, Account account) {
    tx.execute(INSERT_ACCOUNT, account.id().value(), account.tier(), account.createdAt());
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

  void setTier(Handle tx, AccountId id, String tier) {
    tx.execute(SET_TIER, tier, id.value());
  }

  private static Account account(ResultSet row, StatementContext context) throws SQLException {
    return new Account(
        new AccountId(row.getString("id")),
        row.getString("tier"),
        row.getTimestamp("created_at").toInstant());
  }
}
