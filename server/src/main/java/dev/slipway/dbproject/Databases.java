package dev.slipway.dbproject;

import dev.slipway.account.Actor;
import dev.slipway.account.AuditStore;
import dev.slipway.core.AccountId;
import dev.slipway.core.AppFailure;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.TransientException;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.TimedAnswer;
import dev.slipway.db.Database;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What can be read of databases. Thread-safe. */
final class Databases {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

  private final Database database;
  private final DatabaseStore store;
  private final Servers servers;
  private final OwnStore ownStore;
  private final AuditStore audit;
  private final Clock clock;

  Databases(
      Database database,
      DatabaseStore store,
      Servers servers,
      OwnStore ownStore,
      AuditStore audit,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.servers = servers;
    this.ownStore = ownStore;
    this.audit = audit;
    this.clock = clock;
  }

  Optional<DatabaseProject> find(Handle tx, DatabaseId id) {
    return store.find(tx, id);
  }

  // Loaded by id and then checked: what exists in another account is forbidden, not unknown.
  DatabaseProject own(Handle tx, AccountId account, DatabaseId id) {
    return own(store.find(tx, id), account, id);
  }

  /** {@link #own}, its row locked until the transaction ends. */
  DatabaseProject lock(Handle tx, AccountId account, DatabaseId id) {
    var _ = own(tx, account, id);
    return own(store.lock(tx, id), account, id);
  }

  private static DatabaseProject own(
      Optional<DatabaseProject> found, AccountId account, DatabaseId id) {
    DatabaseProject project =
        found.orElseThrow(() ->
            new RequestException(ErrorCode.NOT_FOUND, "There is no database %s.".formatted(id)));
    if (!project.accountId().equals(account)) {
      throw new RequestException(
          ErrorCode.FORBIDDEN, "This key has no access to database %s.".formatted(id));
    }
    return project;
  }

  DatabaseProject get(AccountId account, DatabaseId id) {
    return database.read(tx -> own(tx, account, id));
  }

  List<DatabaseProject> list(AccountId account, Optional<DatabaseId> before, int limit) {
    return database.read(tx -> store.list(tx, account, before, limit));
  }

  Map<DatabaseId, DatabaseType> types(Collection<DatabaseId> ids) {
    return ids.isEmpty() ? Map.of() : database.read(tx -> store.types(tx, ids));
  }

  boolean isComing(Handle tx, DatabaseId id) {
    return store.find(tx, id).orElseThrow().status() == DatabaseStatus.RESTORING
        && store.physical(tx, id).isEmpty();
  }

  EnvVars variables(Handle tx, DatabaseId id) {
    DatabaseLink link = present(tx, id);
    return servers.provider(link.place().type()).variables(link);
  }

  Optional<DatabasePlace> doorTo(Handle tx, DatabaseId id) {
    DatabasePlace place = present(tx, id).place();
    boolean open =
        switch (store.find(tx, id).orElseThrow().origin()) {
          case CREATED -> true;
          case CONNECTED -> isFixed(place.host()) && !ownStore.isAt(place);
        };
    return Optional.of(place).filter(_ -> open);
  }

  /** Any other name can lead to this host later, after it was checked. */
  private static boolean isFixed(String host) {
    if (host.equalsIgnoreCase("localhost")) {
      return true;
    }
    try {
      var _ = InetAddress.ofLiteral(host);
      return true;
    } catch (IllegalArgumentException name) {
      return false;
    }
  }

  private DatabaseLink present(Handle tx, DatabaseId id) {
    return servers
        .link(tx, id)
        .orElseThrow(() ->
            new AppFailure(
                FailureCode.DATABASE_UNREACHABLE,
                (isComing(tx, id)
                        ? "The database %s is being restored: try again when it is ready."
                        : "There is no database %s any more: restore it from a backup, or give the project another one.")
                    .formatted(id)));
  }

  String version(Handle tx, DatabaseId id) {
    return id + "." + store.version(tx, id);
  }

  String holdVersion(Handle tx, DatabaseId id) {
    store.share(tx, id);
    return version(tx, id);
  }

  Optional<DatabaseFacts> facts(DatabaseProject project) {
    try {
      return TimedAnswer.within(
          ANSWER_LIMIT,
          () -> ask(project),
          () -> new TransientException("the server of " + project.id() + " took too long"));
    } catch (AppFailure | TransientException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientException("interrupted while a database was asked", e);
    }
  }

  private Optional<DatabaseFacts> ask(DatabaseProject project) {
    return switch (project.origin()) {
      case CREATED ->
          database
              .read(tx -> store.physical(tx, project.id()))
              .map(physical ->
                  servers.known(physical.type(), physical.server()).facts(physical.name()));
      case CONNECTED -> database.read(tx -> store.connected(tx, project.id())).map(this::check);
    };
  }

  private DatabaseFacts check(DatabaseLink link) {
    ownStore.requireElsewhere(link.place());
    return servers.provider(link.place().type()).check(link);
  }

  DatabaseLink reveal(AccountId account, DatabaseId id, Actor actor) {
    return database.inTransaction(tx -> {
      DatabaseProject project = own(tx, account, id);
      audit.write(tx, account, actor, "database.reveal", id.value(), clock.instant());
      return login(tx, project);
    });
  }

  private DatabaseLink login(Handle tx, DatabaseProject project) {
    try {
      return servers
          .link(tx, project.id())
          .orElseThrow(() ->
              new RequestException(
                  ErrorCode.CONFLICT,
                  "The database %s is %s: nobody can log in to it."
                      .formatted(project.id(), project.status().wireName())));
    } catch (AppFailure e) {
      throw new RequestException(ErrorCode.UNAVAILABLE, e.failure().message());
    }
  }
}
