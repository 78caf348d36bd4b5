package dev.slipway.dbproject;

import dev.slipway.account.AuditStore;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseType;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import dev.slipway.vault.Vault;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** The parts of this package, put together. */
public final class DatabaseProjects {
  private final Database database;
  private final LeftoverStore leftovers = new LeftoverStore();
  private final DatabaseService service;
  private final List<Job> jobs;
  private final Clock clock;

  /**
   * @param providers of each type
   */
  public DatabaseProjects(
      Database database,
      Map<DatabaseType, DatabaseProvider> providers,
      Vault vault,
      BackupSettings backups,
      Clock clock) {
    this.database = database;
    this.clock = clock;
    DatabaseStore store = new DatabaseStore(vault);
    Servers servers = new Servers(providers, store);
    OwnStore ownStore = new OwnStore(database);
    AtomicReference<DatabaseListener> listener = new AtomicReference<>(DatabaseListener.NOBODY);
    Runs runs = new Runs(database, store, leftovers, clock);
    Making making = new Making(database, store, leftovers, servers, clock);
    service =
        new DatabaseService(
            database,
            store,
            new Databases(database, store, servers),
            servers,
            ownStore,
            new AuditStore(),
            listener,
            clock);
    jobs =
        List.of(
            new PrepareJob(
                database, store, leftovers, servers, ownStore, runs, making, listener::get, clock),
            new SweepJob(database, leftovers, servers));
  }

  public DatabaseService service() {
    return service;
  }

  /** The durable work. */
  public List<Job> jobs() {
    return jobs;
  }

  /** At the start of the server: sees to what an earlier one gave up. */
  public void recover() {
    database.useTransaction(tx -> leftovers.sweepAll(tx, clock.instant()));
  }
}
