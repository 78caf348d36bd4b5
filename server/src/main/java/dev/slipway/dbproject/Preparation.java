package dev.slipway.dbproject;

import dev.slipway.core.AccountId;
import dev.slipway.core.AppFailure;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.database.DatabasePlace;
import dev.slipway.job.Jobs;
import java.time.Clock;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** From a wish to a row, and from a row to the job that prepares the database. Thread-safe. */
final class Preparation {
  private final DatabaseStore store;
  private final Servers servers;
  private final OwnStore ownStore;
  private final Clock clock;

  Preparation(DatabaseStore store, Servers servers, OwnStore ownStore, Clock clock) {
    this.store = store;
    this.servers = servers;
    this.ownStore = ownStore;
    this.clock = clock;
  }

  void requirePossible(DatabaseWish wish) {
    switch (wish) {
      case DatabaseWish.Create create -> {
        requireServer(create);
        create.importFrom().ifPresent(link -> requireForeign("import_from", link.place()));
      }
      case DatabaseWish.Connect connect -> requireForeign("url", connect.link().place());
    }
  }

  private void requireServer(DatabaseWish.Create create) {
    try {
      var _ = servers.forNew(create.type());
    } catch (AppFailure e) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST, "database.type: " + e.failure().message());
    }
  }

  private void requireForeign(String field, DatabasePlace place) {
    if (ownStore.isAt(place)) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "database.%s: leads to where this service keeps its own data; name another database."
              .formatted(field));
    }
  }

  DatabaseId add(Handle tx, AccountId account, DatabaseWish wish) {
    DatabaseProject project =
        new DatabaseProject(
            DatabaseId.next(),
            account,
            wish.type(),
            wish instanceof DatabaseWish.Connect
                ? DatabaseOrigin.CONNECTED
                : DatabaseOrigin.CREATED,
            DatabaseStatus.PREPARING,
            Optional.empty(),
            clock.instant(),
            Optional.empty());
    switch (wish) {
      case DatabaseWish.Create create ->
          store.insert(tx, project, Optional.empty(), create.importFrom());
      case DatabaseWish.Connect connect ->
          store.insert(tx, project, Optional.of(connect.link()), Optional.empty());
    }
    return project.id();
  }

  boolean prepare(Handle tx, DatabaseId id) {
    DatabaseProject project = store.lock(tx, id).orElseThrow();
    return switch (project.status()) {
      case READY, ROTATING, DROPPING, DROPPED -> true;
      case RESTORING -> store.physical(tx, id).isPresent();
      case PREPARING -> {
        schedulePreparation(tx, store.task(tx, id));
        yield false;
      }
      case FAILED -> {
        schedulePreparation(tx, store.ask(tx, id, DatabaseStatus.PREPARING));
        yield false;
      }
    };
  }

  private void schedulePreparation(Handle tx, Task task) {
    Jobs.schedule(tx, PrepareJob.KIND, task.subject(), clock.instant());
  }
}
