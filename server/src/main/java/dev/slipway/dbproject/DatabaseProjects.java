package dev.slipway.dbproject;

import dev.slipway.account.AuditStore;
import dev.slipway.core.AccountId;
import dev.slipway.core.BackupId;
import dev.slipway.core.Turns;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseType;
import dev.slipway.db.Database;
import dev.slipway.db.StoreAddress;
import dev.slipway.job.Job;
import dev.slipway.vault.Vault;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/** The parts of this package, put together. */
public final class DatabaseProjects {
  /** Threads for the jobs, of which those that one account asks for at length have half. */
  public static final int JOBS_AT_ONCE = 16;

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
      BackupSettings settings,
      Clock clock) {
    this(database, providers, vault, settings, database::address, clock);
  }

  /**
   * @param storeAddress no database of an account is there
   */
  DatabaseProjects(
      Database database,
      Map<DatabaseType, DatabaseProvider> providers,
      Vault vault,
      BackupSettings settings,
      Supplier<StoreAddress> storeAddress,
      Clock clock) {
    this.database = database;
    this.clock = clock;
    DatabaseStore store = new DatabaseStore(vault);
    BackupStore backupStore = new BackupStore();
    AuditStore audit = new AuditStore();
    Servers servers = new Servers(providers, store);
    OwnStore ownStore = new OwnStore(storeAddress);
    AtomicReference<DatabaseListener> listener = new AtomicReference<>(DatabaseListener.NOBODY);
    Runs runs = new Runs(database, store, leftovers, clock);
    Making making = new Making(database, store, leftovers, servers, clock);
    BackupFiles files = new BackupFiles(settings);
    BackupMaking backups =
        new BackupMaking(database, backupStore, files, servers, settings.keep(), clock);
    Dropping dropping = new Dropping(store, leftovers, backupStore, listener::get, clock);
    Changeover changeover =
        new Changeover(database, store, leftovers, backupStore, runs, listener::get, clock);
    Databases databases = new Databases(database, store, servers, ownStore, audit, clock);
    service =
        new DatabaseService(
            databases,
            new Preparation(store, servers, ownStore, clock),
            new Changes(database, store, databases, dropping, clock),
            new Backups(database, store, backupStore, backups, databases, clock),
            listener);
    Turns turns = new Turns(JOBS_AT_ONCE);
    Function<String, Optional<AccountId>> owner =
        subject ->
            database
                .read(tx -> store.find(tx, Task.of(subject).id()))
                .map(DatabaseProject::accountId);
    // Those of the schedule are made one at a time, whosever they are.
    Function<String, Optional<AccountId>> whoAsked =
        subject ->
            database.read(tx ->
                backupStore
                    .find(tx, new BackupId(subject))
                    .filter(backup -> backup.reason() == Backup.Reason.REQUEST)
                    .flatMap(backup -> store.find(tx, backup.databaseId()))
                    .map(DatabaseProject::accountId));
    jobs =
        List.of(
            new InTurnJob(
                new PrepareJob(
                    database,
                    store,
                    leftovers,
                    servers,
                    ownStore,
                    runs,
                    making,
                    listener::get,
                    clock),
                turns,
                owner),
            new RotateJob(database, store, leftovers, runs, making, changeover, clock),
            new InTurnJob(
                new RestoreJob(
                    database,
                    new RestoreJob.Stores(store, leftovers, backupStore),
                    servers,
                    files,
                    backups,
                    runs,
                    making,
                    changeover,
                    listener::get,
                    clock),
                turns,
                owner),
            new InTurnJob(new DropJob(database, store, runs, backups, dropping), turns, owner),
            new InTurnJob(new BackupJob(database, store, backupStore, backups), turns, whoAsked),
            new BackupRoundJob(database, backupStore, files, backups, settings.every(), clock),
            new SweepJob(database, leftovers, servers));
  }

  public DatabaseService service() {
    return service;
  }

  /** The durable work. */
  public List<Job> jobs() {
    return jobs;
  }

  /** At the start of the server: sees to what an earlier one gave up, and to backups. */
  public void recover() {
    database.useTransaction(tx -> {
      leftovers.sweepAll(tx, clock.instant());
      BackupRoundJob.schedule(tx, clock);
    });
  }
}
