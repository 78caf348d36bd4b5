package dev.slipway.dbproject;

import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import dev.slipway.job.Jobs;
import java.time.Clock;
import org.jdbi.v3.core.Handle;

/** Rotations and ends, as they are asked for. Thread-safe. */
final class Changes {
  private final Database database;
  private final DatabaseStore store;
  private final Databases databases;
  private final Dropping dropping;
  private final Clock clock;

  Changes(
      Database database, DatabaseStore store, Databases databases, Dropping dropping, Clock clock) {
    this.database = database;
    this.store = store;
    this.databases = databases;
    this.dropping = dropping;
    this.clock = clock;
  }

  DatabaseProject rotate(AccountId account, DatabaseId id) {
    return database.inTransaction(tx -> {
      DatabaseProject project = databases.lock(tx, account, id);
      requireMade(project);
      requireReady(project);
      Task task = store.ask(tx, id, DatabaseStatus.ROTATING);
      Jobs.schedule(tx, RotateJob.KIND, task.subject(), clock.instant());
      return databases.own(tx, account, id);
    });
  }

  DatabaseProject drop(AccountId account, DatabaseId id, boolean withBackup) {
    return database.inTransaction(tx -> {
      DatabaseProject project = databases.lock(tx, account, id);
      switch (project.status()) {
        case PREPARING, FAILED -> {}
        case READY, ROTATING, RESTORING, DROPPING, DROPPED -> requireReady(project);
      }
      drop(tx, project, withBackup);
      return databases.own(tx, account, id);
    });
  }

  void drop(Handle tx, DatabaseId id) {
    DatabaseProject project = store.lock(tx, id).orElseThrow();
    switch (project.status()) {
      case DROPPING, DROPPED -> {}
      case PREPARING, FAILED, READY, ROTATING, RESTORING -> drop(tx, project, true);
    }
  }

  private void drop(Handle tx, DatabaseProject project, boolean withBackup) {
    if (withBackup && store.physical(tx, project.id()).isPresent()) {
      Task task = store.ask(tx, project.id(), DatabaseStatus.DROPPING);
      Jobs.schedule(tx, DropJob.KIND, task.subject(), clock.instant());
    } else {
      dropping.drop(tx, project.id());
    }
  }

  static void requireMade(DatabaseProject project) {
    if (project.origin() == DatabaseOrigin.CONNECTED) {
      throw new RequestException(
          ErrorCode.CONFLICT,
          "The database %s was connected, not made here: do that where it is."
              .formatted(project.id()));
    }
  }

  static void requireReady(DatabaseProject project) {
    if (project.status() != DatabaseStatus.READY) {
      throw new RequestException(
          ErrorCode.CONFLICT,
          "The database %s is %s: this can be done when it is ready."
              .formatted(project.id(), project.status().wireName()));
    }
  }
}
