package dev.slipway.project;

import dev.slipway.account.Actor;
import dev.slipway.account.AuditStore;
import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.edge.Routes;
import dev.slipway.job.Jobs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;

/** What a client can ask of projects. Thread-safe. */
public final class ProjectService {
  private static final Optional<Failure> CANCELED =
      Optional.of(new Failure(FailureCode.CANCELED, "The project was deleted."));

  private final Database database;
  private final ProjectStore store;
  private final RestartStore restarts;
  private final ProjectAccess access;
  private final AuditStore audit;
  private final Routes routes;
  private final DatabaseService databases;
  private final Clock clock;
  private final List<ProjectListener> listeners = new CopyOnWriteArrayList<>();

  public ProjectService(
      Database database,
      ProjectStore store,
      RestartStore restarts,
      AuditStore audit,
      Routes routes,
      DatabaseService databases,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.restarts = restarts;
    this.access = new ProjectAccess(store);
    this.audit = audit;
    this.routes = routes;
    this.databases = databases;
    this.clock = clock;
  }

  /** Who is told of changes, in the order in which they are named. */
  public void tell(ProjectListener listener) {
    listeners.add(listener);
  }

  /**
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public Project get(AccountId account, ProjectId id) {
    return database.read(tx -> access.own(tx, account, id));
  }

  /**
   * {@link #get}, for its history: a deleted one too.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public Project getEvenDeleted(AccountId account, ProjectId id) {
    return database.read(tx -> access.ownEvenDeleted(tx, account, id));
  }

  /** At most {@code limit} projects, newest first, those before {@code before}. */
  public List<Project> list(AccountId account, Optional<ProjectId> before, int limit) {
    return database.read(tx -> store.list(tx, account, before, limit));
  }

  /** How many there are, without those that were deleted. */
  public int count(AccountId account) {
    return database.read(tx -> store.count(tx, account));
  }

  /**
   * Changes a project.
   *
   * @param name absent means that it keeps its name
   * @param edit from the present settings to the new ones
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, also for another database;
   *     {@code CONFLICT} where another project of the account has the name, or that database is
   *     dropped
   */
  public Project change(
      AccountId account, ProjectId id, Optional<String> name, UnaryOperator<Settings> edit) {
    requireOwn(account, id);
    return routes.changing(tx -> {
      Project before = access.lock(tx, account, id);
      String newName = name.orElse(before.name());
      if (!newName.equals(before.name())) {
        requireFree(tx, account, newName);
      }
      Settings settings = edit.apply(before.settings());
      if (!settings.database().equals(before.settings().database())) {
        settings.database().ifPresent(database -> requireUsable(tx, account, database));
      }
      store.change(tx, id, newName, settings, clock.instant());
      Project after = store.find(tx, id).orElseThrow();
      if (after.settings().instances() != before.settings().instances()) {
        listeners.forEach(listener -> listener.resized(tx, after));
      }
      if (!after.settings().sleepAfter().equals(before.settings().sleepAfter())) {
        listeners.forEach(listener -> listener.sleepChanged(tx, after));
      }
      if (before.settings().previewForks() && !after.settings().previewForks()) {
        listeners.forEach(listener -> listener.previewForksOff(tx, after));
      }
      if (after.settings().previews() == Previews.OFF) {
        listeners.forEach(listener -> listener.previewsOff(tx, after));
      }
      return after;
    });
  }

  /** Apart: after a transaction of the routes that fails, the edge reads all of them again. */
  private void requireOwn(AccountId account, ProjectId id) {
    database.useTransaction(tx -> access.own(tx, account, id));
  }

  private void requireFree(Handle tx, AccountId account, String name) {
    store.lockNames(tx, account);
    if (store.nameTaken(tx, account, name)) {
      throw new RequestException(
          ErrorCode.CONFLICT, "name: there is a project called %s already.".formatted(name));
    }
  }

  private void requireUsable(Handle tx, AccountId account, DatabaseId id) {
    switch (databases.own(tx, account, id).status()) {
      case PREPARING, READY, FAILED, ROTATING, RESTORING -> {}
      case DROPPING, DROPPED ->
          throw new RequestException(
              ErrorCode.CONFLICT,
              "database_id: database %s is dropped; restore it from a backup first.".formatted(id));
    }
  }

  /** The projects that use each of these databases; without those that no project uses. */
  public Map<DatabaseId, List<ProjectId>> using(List<DatabaseId> databases) {
    return database.read(tx -> store.using(tx, databases));
  }

  /** What these projects are called; without those that are not the account's, or deleted. */
  public Map<ProjectId, String> names(AccountId account, Collection<ProjectId> ids) {
    return ids.isEmpty() ? Map.of() : database.read(tx -> store.names(tx, account, ids));
  }

  /**
   * Deletes a project: nothing serves it from now on, its name and label are free, what is under
   * way ends. Its history stays for a while.
   *
   * @param databaseToo whether its database is dropped, if no other project uses that
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public void delete(AccountId account, ProjectId id, boolean databaseToo) {
    requireOwn(account, id);
    routes.changing(tx -> {
      Instant now = clock.instant();
      Project project = access.lock(tx, account, id);
      if (databaseToo) {
        // After the project's row is locked: whoever asks for a deployment locks it first too.
        dropDatabase(tx, project);
      }
      project
          .restart()
          .filter(Restart::running)
          .ifPresent(restart -> restarts.end(tx, restart.id(), CANCELED, now));
      end(tx, project, PurgeJob.HISTORY);
      return id;
    });
  }

  /**
   * Deletes the row behind a preview, as a project is deleted; what there is to read of it is gone
   * after a day. Whoever calls this has the routes read again.
   */
  public void deletePreview(Handle tx, ProjectId id) {
    end(tx, store.lock(tx, id), PurgeJob.HISTORY_OF_PREVIEWS);
  }

  private void end(Handle tx, Project project, Duration history) {
    Instant now = clock.instant();
    listeners.forEach(listener -> listener.deleted(tx, project));
    // Last: it frees the label, for which a migration may wait that holds the account's row.
    store.delete(tx, project.id(), now);
    Jobs.schedule(tx, PurgeJob.KIND, project.id().value(), now.plus(history));
  }

  /** Of the project alone; what others use, or still run with, stays. */
  private void dropDatabase(Handle tx, Project project) {
    project
        .settings()
        .database()
        .filter(database -> !store.usedByOthers(tx, database, project.id()))
        .ifPresent(database -> databases.drop(tx, database));
  }

  /** The names of the project's variables, and their values. */
  public EnvVars env(AccountId account, ProjectId id) {
    return env(account, id, EnvScope.PRODUCTION);
  }

  public EnvVars env(AccountId account, ProjectId id, EnvScope scope) {
    return database.read(tx -> scope.read(store, tx, access.own(tx, account, id).id()));
  }

  /**
   * {@link #env}, for somebody who will see the values: it is written down who that was.
   *
   * @param actor who asks
   */
  public EnvVars reveal(AccountId account, ProjectId id, EnvScope scope, Actor actor) {
    return database.inTransaction(tx -> {
      Project project = access.own(tx, account, id);
      String action = scope.revealAction();
      audit.write(tx, account, actor, action, project.id().value(), clock.instant());
      return scope.read(store, tx, project.id());
    });
  }

  /**
   * Changes a project's variables; the next deployment has them, of the pull request where they are
   * those of previews.
   *
   * @param edit from the present ones to the new ones
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code INVALID_REQUEST} for more
   *     than the API allows
   */
  public EnvVars changeEnv(
      AccountId account, ProjectId id, EnvScope scope, UnaryOperator<EnvVars> edit) {
    return database.inTransaction(tx -> {
      Project project = access.lock(tx, account, id);
      EnvVars changed = edit.apply(scope.read(store, tx, id)).requireAllowed();
      scope.write(store, tx, project.id(), changed, clock.instant());
      return changed;
    });
  }
}
