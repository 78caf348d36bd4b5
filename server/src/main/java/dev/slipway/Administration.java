package dev.slipway;

import dev.slipway.account.AccountAdministration;
import dev.slipway.account.AccountStore;
import dev.slipway.config.ServerConfig;
import dev.slipway.config.StoreConfig;
import dev.slipway.core.TransientException;
import dev.slipway.db.AttachedPostgres;
import dev.slipway.db.Database;
import dev.slipway.db.SchemaMigrations;
import dev.slipway.db.StoreAddress;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.Optional;

/**
 * A server's store, opened for a command beside it: whether the server runs or not, and without
 * ever changing the schema, since the server may be of another version.
 */
public final class Administration implements AutoCloseable {
  private final Optional<AttachedPostgres> embedded;
  private final Database database;
  private final AccountAdministration accounts;

  private Administration(
      ServerConfig config, Optional<AttachedPostgres> embedded, Database database) {
    this.embedded = embedded;
    this.database = database;
    this.accounts =
        new AccountAdministration(
            database, new AccountStore(), config.tiers().keySet(), Clock.systemUTC());
  }

  /**
   * Opens the store of the server with that configuration.
   *
   * @throws Server.StartException with a sentence that says what to do
   */
  public static Administration open(ServerConfig config) {
    try {
      if (config.store().isPresent()) {
        return over(config, Optional.empty(), address(config.store().get()));
      }
      AttachedPostgres embedded = AttachedPostgres.open(config.dataDir());
      try {
        return over(config, Optional.of(embedded), embedded.address());
      } catch (RuntimeException e) {
        embedded.close();
        throw e;
      }
    } catch (IllegalStateException | UncheckedIOException | TransientException e) {
      throw new Server.StartException(String.valueOf(e.getMessage()), e);
    }
  }

  private static Administration over(
      ServerConfig config, Optional<AttachedPostgres> embedded, StoreAddress address) {
    Database database = Database.connect(address);
    try {
      new SchemaMigrations().require(database.dataSource());
      return new Administration(config, embedded, database);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private static StoreAddress address(StoreConfig store) {
    return new StoreAddress(store.url(), store.user(), store.password());
  }

  public AccountAdministration accounts() {
    return accounts;
  }

  @Override
  public void close() {
    database.close();
    embedded.ifPresent(AttachedPostgres::close);
  }
}
