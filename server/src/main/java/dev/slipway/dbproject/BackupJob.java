package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.BackupId;
import dev.slipway.core.FailureCode;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import java.util.Optional;

/** Makes one backup. A run that was cut off leaves nothing; the next one begins anew. */
final class BackupJob implements Job {
  static final Kind KIND = new Kind("database-backup", Queue.DATABASES);

  private final Database database;
  private final DatabaseStore databases;
  private final BackupStore store;
  private final BackupMaking making;

  BackupJob(Database database, DatabaseStore databases, BackupStore store, BackupMaking making) {
    this.database = database;
    this.databases = databases;
    this.store = store;
    this.making = making;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    Optional<Backup> wanted = running(subjectId);
    if (wanted.isPresent()) {
      Backup backup = wanted.get();
      try {
        making.make(
            backup,
            database
                .read(tx -> databases.physical(tx, backup.databaseId()))
                .orElseThrow(() ->
                    new AppFailure(
                        FailureCode.DATABASE_FAILED, "The database was dropped meanwhile.")));
      } catch (AppFailure e) {
        making.fail(backup, e.failure());
      }
    }
    return Outcome.DONE;
  }

  private Optional<Backup> running(String subjectId) {
    return database
        .read(tx -> store.find(tx, new BackupId(subjectId)))
        .filter(backup -> backup.status() == Backup.Status.RUNNING);
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    running(subjectId).ifPresent(backup -> making.fail(backup, Runs.failure(cause)));
  }
}
