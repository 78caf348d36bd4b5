package dev.slipway;

import dev.slipway.account.AccountAdministration;
import dev.slipway.account.AccountStore;
import dev.slipway.config.ServerConfig;
import dev.slipway.config.StoreConfig;
import dev.slipway.core.TransientException;
import dev.slipway.database.postgres.ApplicationsCluster;
import dev.slipway.db.AttachedPostgres;
import dev.slipway.db.Database;
import dev.slipway.db.SchemaMigrations;
import dev.slipway.db.StoreAddress;
import dev.slipway.edge.EdgeLocks;
import dev.slipway.recovery.Restoration;
import dev.slipway.recovery.Saving;
import dev.slipway.runtime.process.ProcessRuntime;
import dev.slipway.sandbox.Sandbox;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * A server's store, opened for a command beside it: whether the server runs or not, and without
 * ever changing the schema, since the server may be of another version.
 */
public final class Administration implements AutoCloseable {
  private final Optional<AttachedPostgres> embedded;
  private final Database database;
  private final AccountAdministration accounts;
  private final Saving saving;

  private Administration(
      ServerConfig config, Optional<AttachedPostgres> embedded, Database database) {
    this.embedded = embedded;
    this.database = database;
    this.accounts =
        new AccountAdministration(
            database, new AccountStore(), config.tiers().keySet(), Clock.systemUTC());
    this.saving =
        new Saving(database, config.dataDir(), config.secrets().keyFile(), Clock.systemUTC());
  }

  /**
   * Opens the store of the server with that configuration.
   *
   * @throws Server.StartException with a sentence that says what to do
   */
  public static Administration open(ServerConfig config) {
    try {
      Restoration.requireWhole(config.dataDir());
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

  /** Writes all of the server to a file. */
  public Saving saving() {
    return saving;
  }

  /**
   * Makes a server from such a file, where no server is.
   *
   * @param progress told again and again how many bytes of the file are read
   * @throws Server.StartException with a sentence that says what to do
   */
  public static Restoration.Restored restore(
      ServerConfig config, Restoration.Wish wish, LongConsumer progress) {
    try {
      requireNoEdge(config.dataDir());
      return new Restoration(
              config.dataDir(),
              config.secrets().keyFile(),
              config.store().map(Administration::address),
              config.limits().diskFreeMin(),
              ApplicationsCluster.SERVER_ID,
              () -> endPrograms(config.dataDir()),
              Clock.systemUTC())
          .restore(wish, progress);
    } catch (IllegalStateException | UncheckedIOException | TransientException e) {
      throw new Server.StartException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void requireNoEdge(Path dataDir) {
    if (new EdgeLocks(dataDir.resolve("edge")).anyHeld()) {
      throw new IllegalStateException(
          "an edge of its own uses %s: stop it first".formatted(dataDir));
    }
  }

  /** They outlive their server: those of one that is replaced would be nobody's. */
  private static void endPrograms(Path dataDir) {
    Path instances = dataDir.resolve("instances");
    if (Files.isDirectory(instances)) {
      new ProcessRuntime(Sandbox.strongest(dataDir), instances).recover(Set.of());
    }
    ApplicationsCluster.below(dataDir).endEverything();
  }

  @Override
  public void close() {
    database.close();
    embedded.ifPresent(AttachedPostgres::close);
  }
}
