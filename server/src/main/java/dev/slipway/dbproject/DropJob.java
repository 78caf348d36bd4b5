package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Failure;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Drops a database after a last backup; without that it stays. */
final class DropJob implements Job {
  static final Kind KIND = new Kind("database-drop", Queue.DATABASES);

  private final Database database;
  private final DatabaseStore store;
  private final Runs runs;
  private final BackupMaking backups;
  private final Dropping dropping;

  DropJob(
      Database database, DatabaseStore store, Runs runs, BackupMaking backups, Dropping dropping) {
    this.database = database;
    this.store = store;
    this.runs = runs;
    this.backups = backups;
    this.dropping = dropping;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    Optional<Run> begun = runs.begin(subjectId, DatabaseStatus.DROPPING);
    if (begun.isEmpty()) {
      return Outcome.DONE;
    }
    Run run = begun.get();
    Physical present = database.read(tx -> store.physical(tx, run.id())).orElseThrow();
    try {
      backups.makeFirst(run, present, Backup.Reason.DROP);
    } catch (AppFailure e) {
      return runs.conclude(run, tx -> fail(tx, run, e.failure()));
    }
    return runs.conclude(
        run,
        tx -> {
          dropping.drop(tx, run.id());
          return Outcome.DONE;
        });
  }

  private Outcome fail(Handle tx, Run run, Failure failure) {
    backups.cutOff(tx, run.id());
    store.end(tx, run.id(), DatabaseStatus.READY, Optional.of(failure));
    return Outcome.DONE;
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    runs.giveUp(
        subjectId,
        DatabaseStatus.DROPPING,
        (tx, run) -> {
          var _ = fail(tx, run, Runs.failure(cause));
        });
  }
}
