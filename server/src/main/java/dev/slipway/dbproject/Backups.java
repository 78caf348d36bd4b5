package dev.slipway.dbproject;

import dev.slipway.core.AccountId;
import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import dev.slipway.job.Jobs;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Backups and restores, as they are asked for. Thread-safe. */
final class Backups {
  private final Database database;
  private final DatabaseStore store;
  private final BackupStore backups;
  private final BackupMaking making;
  private final Databases databases;
  private final Clock clock;

  Backups(
      Database database,
      DatabaseStore store,
      BackupStore backups,
      BackupMaking making,
      Databases databases,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.backups = backups;
    this.making = making;
    this.databases = databases;
    this.clock = clock;
  }

  Backup backUp(AccountId account, DatabaseId id) {
    return database.inTransaction(tx -> {
      DatabaseProject project = databases.lock(tx, account, id);
      Changes.requireMade(project);
      Changes.requireReady(project);
      if (backups.isRunning(tx, id)) {
        throw new RequestException(
            ErrorCode.CONFLICT,
            "A backup of the database %s is being made: ask again when it is complete."
                .formatted(id));
      }
      Backup backup = making.begin(tx, id, Backup.Reason.REQUEST);
      Jobs.schedule(tx, BackupJob.KIND, backup.id().value(), clock.instant());
      return backup;
    });
  }

  List<Backup> list(AccountId account, DatabaseId id, Optional<BackupId> before, int limit) {
    return database.read(
        tx -> backups.list(tx, databases.own(tx, account, id).id(), before, limit));
  }

  DatabaseProject restore(AccountId account, DatabaseId id, BackupId from) {
    return database.inTransaction(tx -> {
      DatabaseProject project = databases.lock(tx, account, id);
      Backup backup = of(tx, id, from);
      Changes.requireMade(project);
      if (project.status() != DatabaseStatus.DROPPED) {
        Changes.requireReady(project);
      }
      schedule(tx, backup);
      return databases.own(tx, account, id);
    });
  }

  private Backup of(Handle tx, DatabaseId id, BackupId backup) {
    return backups
        .find(tx, backup)
        .filter(it -> it.databaseId().equals(id))
        .orElseThrow(() ->
            new RequestException(
                ErrorCode.NOT_FOUND, "The database %s has no backup %s.".formatted(id, backup)));
  }

  private void schedule(Handle tx, Backup backup) {
    if (backup.status() != Backup.Status.COMPLETE) {
      throw new RequestException(
          ErrorCode.CONFLICT,
          "The backup %s is %s: restore one that is complete."
              .formatted(backup.id(), backup.status().wireName()));
    }
    Task task = store.askToRestore(tx, backup.databaseId(), backup.id());
    Jobs.schedule(tx, RestoreJob.KIND, task.subject(), clock.instant());
  }
}
