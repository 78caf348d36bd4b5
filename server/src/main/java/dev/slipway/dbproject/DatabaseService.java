package dev.slipway.dbproject;

import dev.slipway.account.AuditStore;
import dev.slipway.core.AccountId;
import dev.slipway.core.AppFailure;
import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import dev.slipway.db.Database;
import dev.slipway.job.Jobs;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;

/** What can be asked of databases. Thread-safe. */
@SuppressWarnings("DoNotCallSuggester")
public final class DatabaseService {
  private static final String TO_COME = "written by its author";

  private final Database database;
  private final DatabaseStore store;
  private final Databases databases;
  private final Servers servers;
  private final OwnStore ownStore;
  private final AuditStore audit;
  private final AtomicReference<DatabaseListener> listener;
  private final Clock clock;

  DatabaseService(
      Database database,
      DatabaseStore store,
      Databases databases,
      Servers servers,
      OwnStore ownStore,
      AuditStore audit,
      AtomicReference<DatabaseListener> listener,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.databases = databases;
    this.servers = servers;
    this.ownStore = ownStore;
    this.audit = audit;
    this.listener = listener;
    this.clock = clock;
  }

  /** Tells that one from now on; before anything is asked. */
  public void tell(DatabaseListener told) {
    listener.set(told);
  }

  /**
   * Looks whether such a database can be had at all. Asks DNS and may start a server: not for
   * within a transaction.
   *
   * @throws RequestException {@code INVALID_REQUEST} where no server makes databases of that type,
   *     or the address is that of our own store
   */
  public void requirePossible(DatabaseWish wish) {
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

  /** Writes the database down; nothing is made or checked before {@link #prepare}. */
  public DatabaseId add(Handle tx, AccountId account, DatabaseWish wish) {
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

  /**
   * For a deployment that is about to be built: whether there is nothing to wait for. If not, it is
   * prepared from now on, and the listener is told when that has ended. One that is dropped is not
   * waited for either: {@link #variables} says so.
   */
  public boolean prepare(Handle tx, DatabaseId id) {
    DatabaseProject project = store.lock(tx, id).orElseThrow();
    return switch (project.status()) {
      case READY, ROTATING, DROPPING, DROPPED -> true;
      case RESTORING -> store.physical(tx, id).isPresent();
      case PREPARING -> {
        schedulePreparation(tx, store.task(tx, id));
        yield false;
      }
      case FAILED -> {
        schedulePreparation(
            tx, store.ask(tx, id, DatabaseStatus.PREPARING, Optional.empty(), clock.instant()));
        yield false;
      }
    };
  }

  private void schedulePreparation(Handle tx, Task task) {
    Jobs.schedule(tx, PrepareJob.KIND, task.subject(), clock.instant());
  }

  /**
   * What a program gets that uses it, as of now.
   *
   * @throws AppFailure {@code DATABASE_UNREACHABLE} where it is dropped, or its server is not
   *     configured any more
   */
  public EnvVars variables(Handle tx, DatabaseId id) {
    return databases.variables(tx, id);
  }

  /**
   * Where it is, as of now: a build on this host is let through to it.
   *
   * @throws AppFailure as {@link #variables}
   */
  public DatabasePlace place(Handle tx, DatabaseId id) {
    return databases.place(tx, id);
  }

  /** Stands for what {@link #variables} gives, and is no secret: another one after each change. */
  public String version(Handle tx, DatabaseId id) {
    return databases.version(tx, id);
  }

  /** A database, whoever it belongs to. */
  public Optional<DatabaseProject> find(Handle tx, DatabaseId id) {
    return databases.find(tx, id);
  }

  /**
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}
   */
  public DatabaseProject own(Handle tx, AccountId account, DatabaseId id) {
    return databases.own(tx, account, id);
  }

  /** The same, in a transaction of its own. */
  public DatabaseProject get(AccountId account, DatabaseId id) {
    return databases.get(account, id);
  }

  /** At most {@code limit}, newest first, those before {@code before}. */
  public List<DatabaseProject> list(AccountId account, Optional<DatabaseId> before, int limit) {
    return databases.list(account, before, limit);
  }

  /** What kind each of them is, whoever they belong to; without those that there are not. */
  public Map<DatabaseId, DatabaseType> types(Collection<DatabaseId> ids) {
    return ids.isEmpty() ? Map.of() : database.read(tx -> store.types(tx, ids));
  }

  /** What its server says of it now; empty where that does not answer within a few seconds. */
  public Optional<DatabaseFacts> facts(DatabaseProject project) {
    return databases.facts(project);
  }

  /**
   * How to log in, for its owner; leaves a row in the audit log.
   *
   * @param key whose holder asks
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where it is not
   *     there yet or any more, {@code UNAVAILABLE} where its server is not configured any more
   */
  public DatabaseLink reveal(AccountId account, DatabaseId id, Secret key) {
    return database.inTransaction(tx -> {
      DatabaseProject project = databases.own(tx, account, id);
      audit.write(tx, key, "database.reveal", id.value(), clock.instant());
      return databases.link(tx, project);
    });
  }

  /**
   * Gives it another login, restarts what uses it, and revokes the earlier login.
   *
   * @param key whose holder asks; leaves a row in the audit log
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where it is not
   *     ready, or was connected
   */
  public DatabaseProject rotate(AccountId account, DatabaseId id, Secret key) {
    throw new UnsupportedOperationException(TO_COME + account + id + key);
  }

  /**
   * Drops it.
   *
   * @param withBackup a last one first; if that cannot be made, it is not dropped
   * @param key whose holder asks; leaves a row in the audit log
   * @throws RequestException as {@link #rotate}, but for a connected one: that is forgotten
   */
  public DatabaseProject drop(AccountId account, DatabaseId id, boolean withBackup, Secret key) {
    throw new UnsupportedOperationException(TO_COME + account + id + withBackup + key);
  }

  /** The same as part of something else; one that is dropped already stays as it is. */
  public void drop(Handle tx, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + tx + id);
  }

  /**
   * @throws RequestException as {@link #rotate}
   */
  public Backup backUp(AccountId account, DatabaseId id) {
    throw new UnsupportedOperationException(TO_COME + account + id);
  }

  /** At most {@code limit}, newest first, those before {@code before}. */
  public List<Backup> backups(
      AccountId account, DatabaseId id, Optional<BackupId> before, int limit) {
    throw new UnsupportedOperationException(TO_COME + account + id + before + limit);
  }

  /**
   * Puts what a backup holds in the database's place, also of one that was dropped, and restarts
   * what uses it.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}, {@code CONFLICT} where the
   *     backup is not complete, or something else is being done
   */
  public DatabaseProject restore(AccountId account, DatabaseId id, BackupId backup) {
    throw new UnsupportedOperationException(TO_COME + account + id + backup);
  }
}
