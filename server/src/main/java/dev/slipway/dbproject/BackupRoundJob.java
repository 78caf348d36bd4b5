package dev.slipway.dbproject;

import dev.slipway.core.DatabaseId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.FileHold;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every minute, for ever, which database is to be backed up, and deletes the backups that
 * have had their time. One of a schedule is made at a time, so that they spread out.
 */
final class BackupRoundJob implements Job {
  private static final Kind KIND = new Kind("database-backup-round", Queue.CHORES);
  private static final Logger log = LoggerFactory.getLogger(BackupRoundJob.class);
  private static final String ALL = "all";
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration RETRY = Duration.ofHours(1);

  private final Database database;
  private final BackupStore store;
  private final BackupFiles files;
  private final BackupMaking making;
  private final Duration every;
  private final Clock clock;

  BackupRoundJob(
      Database database,
      BackupStore store,
      BackupFiles files,
      BackupMaking making,
      Duration every,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.files = files;
    this.making = making;
    this.every = every;
    this.clock = clock;
  }

  /** Once for all servers, however often it is asked for. */
  static void schedule(Handle tx, Clock clock) {
    Jobs.schedule(tx, KIND, ALL, clock.instant());
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    try {
      database.useTransaction(tx -> {
        store.expire(tx, clock.instant());
        if (!store.isScheduledRunning(tx)) {
          store.due(tx, clock.instant(), every, retry()).ifPresent(id -> begin(tx, id));
        }
      });
      if (!FileHold.isHeld(database)) {
        files.collect(() -> database.read(store::withFiles));
      }
    } catch (TransientException | UncheckedIOException e) {
      // Not passed on: a job that fails too often is given up, and this one must not be.
      log.warn("backups are put off: {}", e.toString());
    }
    return new Outcome.Again(PAUSE);
  }

  private Duration retry() {
    return every.compareTo(RETRY) < 0 ? every : RETRY;
  }

  private void begin(Handle tx, DatabaseId id) {
    Backup backup = making.begin(tx, id, Backup.Reason.SCHEDULE);
    Jobs.schedule(tx, BackupJob.KIND, backup.id().value(), clock.instant());
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // It begins anew with the next start of a server.
  }
}
