package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabaseLink;
import dev.slipway.db.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/**
 * Another database is made and filled from a backup, and put in the place of the one that is there,
 * which is backed up first. Until then nothing changes.
 */
final class RestoreJob extends TaskJob {
  static final Kind KIND = new Kind("database-restore", Queue.DATABASES);

  private final Database database;
  private final Stores stores;
  private final Servers servers;
  private final BackupFiles files;
  private final BackupMaking backups;
  private final Making making;
  private final Changeover changeover;
  private final Supplier<DatabaseListener> listener;
  private final Clock clock;

  /** The rows that it changes. */
  record Stores(DatabaseStore databases, LeftoverStore leftovers, BackupStore backups) {}

  RestoreJob(
      Database database,
      Stores stores,
      Servers servers,
      BackupFiles files,
      BackupMaking backups,
      Runs runs,
      Making making,
      Changeover changeover,
      Supplier<DatabaseListener> listener,
      Clock clock) {
    super(KIND, DatabaseStatus.RESTORING, runs);
    this.database = database;
    this.stores = stores;
    this.servers = servers;
    this.files = files;
    this.backups = backups;
    this.making = making;
    this.changeover = changeover;
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  Outcome work(Run run) throws InterruptedException {
    if (run.changedAt().isPresent()) {
      return changeover.follow(
          run,
          run.changedAt().get(),
          "What still runs uses the database as it was, which is kept until it is restored or rotated again.");
    }
    Path file = file(run);
    Optional<Physical> present = database.read(tx -> stores.databases().physical(tx, run.id()));
    if (present.isPresent()) {
      backups.makeFirst(run, present.get(), Backup.Reason.RESTORE);
    }
    Optional<Physical> made = making.database(run);
    return made.isEmpty() || !fill(run, file, made.get())
        ? Outcome.DONE // It was overtaken.
        : runs.conclude(run, tx -> change(tx, run, present, made.get()));
  }

  private Path file(Run run) {
    Path file =
        database.read(tx ->
            files.file(
                stores
                    .backups()
                    .find(tx, stores.databases().restoreFrom(tx, run.id()))
                    .orElseThrow()));
    if (!Files.exists(file)) {
      throw new AppFailure(
          FailureCode.DATABASE_FAILED,
          "The file of the backup is not there any more: restore another one.");
    }
    return file;
  }

  private boolean fill(Run run, Path file, Physical made) throws InterruptedException {
    DatabaseLink link = servers.link(made);
    return Watch.over(
        () -> runs.isCurrent(run), () -> servers.dumps(made.type()).restore(file, link, _ -> {}));
  }

  private Outcome change(Handle tx, Run run, Optional<Physical> present, Physical made) {
    Instant now = clock.instant();
    present.ifPresent(replaced ->
        stores.leftovers().put(tx, Leftover.of(run.id(), replaced, Leftover.State.REPLACED), now));
    making.use(tx, run, made, now);
    stores.databases().undrop(tx, run.id());
    if (present.isEmpty()) {
      listener.get().ready(tx, stores.databases().find(tx, run.id()).orElseThrow());
    }
    return changeover.begin(tx, run, now);
  }

  /** It is as before: there, or dropped. */
  @Override
  void fail(Handle tx, Run run, Failure failure) {
    stores.leftovers().doom(tx, run.id(), Leftover.State.MADE, clock.instant());
    backups.cutOff(tx, run.id());
    boolean there = stores.databases().physical(tx, run.id()).isPresent();
    stores
        .databases()
        .end(
            tx,
            run.id(),
            there ? DatabaseStatus.READY : DatabaseStatus.DROPPED,
            Optional.of(failure));
    if (!there) {
      listener.get().failed(tx, stores.databases().find(tx, run.id()).orElseThrow(), failure);
    }
  }
}
