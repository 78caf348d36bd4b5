package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabaseLink;
import dev.slipway.db.Database;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jdbi.v3.core.Handle;

/** How a backup comes to be: a row, then a file, then the row says so. */
final class BackupMaking {
  private static final Failure CUT_OFF =
      new Failure(FailureCode.DATABASE_FAILED, "The backup was cut off; another one was begun.");

  private final Database database;
  private final BackupStore store;
  private final BackupFiles files;
  private final Servers servers;
  private final Duration keep;
  private final Clock clock;

  BackupMaking(
      Database database,
      BackupStore store,
      BackupFiles files,
      Servers servers,
      Duration keep,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.files = files;
    this.servers = servers;
    this.keep = keep;
    this.clock = clock;
  }

  Backup begin(Handle tx, DatabaseId id, Backup.Reason reason) {
    Instant now = clock.instant();
    Backup backup =
        new Backup(
            BackupId.next(),
            id,
            Backup.Status.RUNNING,
            reason,
            OptionalLong.empty(),
            Optional.empty(),
            now,
            Optional.empty(),
            now.plus(keep));
    store.insert(tx, backup);
    return backup;
  }

  /**
   * Writes and completes it; the disk's reserve is left alone.
   *
   * @throws AppFailure the row is as it was
   */
  void make(Backup backup, Physical physical) throws InterruptedException {
    DatabaseLink link = servers.link(physical);
    files.requireRoom();
    var _ = Servers.patiently(() -> servers.provider(physical.type()).check(link));
    Path file = files.begin(backup);
    try {
      boolean whole =
          Watch.over(
              files::hasRoom,
              () -> {
                var _ = servers.dumps(physical.type()).backup(link, file, _ -> {});
              });
      if (!whole) {
        throw BackupFiles.full();
      }
      long bytes = files.keep(backup, file);
      // A row that was ended meanwhile stays so; its file is collected.
      database.useTransaction(tx -> {
        var _ = store.complete(tx, backup.id(), bytes, clock.instant());
      });
    } finally {
      files.discard(backup);
    }
  }

  /**
   * A backup before the run does what cannot be undone.
   *
   * @throws AppFailure where it cannot be made, which its row says too
   */
  void makeFirst(Run run, Physical physical, Backup.Reason reason) throws InterruptedException {
    Backup backup =
        database.inTransaction(tx -> {
          store.cutOff(tx, run.id(), CUT_OFF);
          return begin(tx, run.id(), reason);
        });
    try {
      make(backup, physical);
    } catch (AppFailure e) {
      fail(backup, e.failure());
      throw new AppFailure(
          e.failure().code(),
          "The backup that is made first failed, so nothing was changed: " + e.failure().message(),
          e);
    }
  }

  void fail(Backup backup, Failure failure) {
    database.useTransaction(tx -> store.fail(tx, backup.id(), failure));
  }

  /** Ends what a run had begun that was given up. */
  void cutOff(Handle tx, DatabaseId id) {
    store.cutOff(tx, id, CUT_OFF);
  }
}
