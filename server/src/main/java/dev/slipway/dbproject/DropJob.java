package dev.slipway.dbproject;

import dev.slipway.core.Failure;
import dev.slipway.db.Database;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Drops a database after a last backup; without that it stays. */
final class DropJob extends TaskJob {
  static final Kind KIND = new Kind("database-drop", Queue.DATABASES);

  private final Database database;
  private final DatabaseStore store;
  private final BackupMaking backups;
  private final Dropping dropping;

  DropJob(
      Database database, DatabaseStore store, Runs runs, BackupMaking backups, Dropping dropping) {
    super(KIND, DatabaseStatus.DROPPING, runs);
    this.database = database;
    this.store = store;
    this.backups = backups;
    this.dropping = dropping;
  }

  @Override
  Outcome work(Run run) throws InterruptedException {
    Physical present = database.read(tx -> store.physical(tx, run.id())).orElseThrow();
    backups.makeFirst(run, present, Backup.Reason.DROP);
    return runs.conclude(
        run,
        tx -> {
          dropping.drop(tx, run.id());
          return Outcome.DONE;
        });
  }

  /** It stays. */
  @Override
  void fail(Handle tx, Run run, Failure failure) {
    backups.cutOff(tx, run.id());
    store.end(tx, run.id(), DatabaseStatus.READY, Optional.of(failure));
  }
}
