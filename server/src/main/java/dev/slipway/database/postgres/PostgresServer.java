package dev.slipway.database.postgres;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseServer;
import dev.slipway.db.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A PostgreSQL, 13 or later, on which we are a superuser or may make databases and roles.
 *
 * <p>A database belongs to a role of its name, which nobody logs in as. Logins are members of that
 * role and act as it from their first statement on, so that whatever one of them makes is the
 * others' too. A session waits for others of ours that work on the same database.
 */
final class PostgresServer implements DatabaseServer {
  private static final Duration CONNECTS = Duration.ofSeconds(5);

  /** A database that is dropped may have many files. */
  private static final Duration WORKS = Duration.ofMinutes(5);

  private static final Duration TELLS = Duration.ofSeconds(5);
  private static final Duration SESSIONS_END = Duration.ofSeconds(20);

  /** A dozen databases fill our own cluster, so that one or a few cannot lock the others out. */
  private static final int CONNECTIONS_EACH = 40;

  /**
   * Of sessions of ours in databases of others, who can give them defaults: as whom they act, how
   * long they may, where names are looked up.
   */
  private static final Map<String, String> UNTOUCHED =
      Map.of(
          "role", "none",
          "search_path", "pg_catalog",
          "statement_timeout", "0",
          "lock_timeout", "0",
          "default_transaction_read_only", "off");

  private final String id;
  private final Supplier<DatabaseLink> administrator;
  private final Supplier<DatabaseLink> askedAlone;
  private final Function<String, DatabasePlace> places;

  /**
   * One that is there, whoever asks.
   *
   * @param places of databases, by their name
   */
  PostgresServer(
      String id, Supplier<DatabaseLink> administrator, Function<String, DatabasePlace> places) {
    this(id, administrator, administrator, places);
  }

  /**
   * @param administrator asked for each session; may start the server
   * @param askedAlone the same for questions, which start nothing
   * @param places of databases, by their name
   */
  PostgresServer(
      String id,
      Supplier<DatabaseLink> administrator,
      Supplier<DatabaseLink> askedAlone,
      Function<String, DatabasePlace> places) {
    this.id = id;
    this.administrator = administrator;
    this.askedAlone = askedAlone;
    this.places = places;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public DatabasePlace place(String name) {
    return places.apply(name);
  }

  @Override
  public void create(String name, DatabaseLogin login) {
    alone(
        name,
        admin -> {
          admin.makeOwner(name);
          admin.makeLogin(name, login.user(), login.password());
          if (!admin.hasDatabase(name)) {
            admin.makeDatabase(name, CONNECTIONS_EACH);
          }
          admin.actAsOwner(name, login.user());
          admin.openDatabase(name);
        });
  }

  @Override
  public void addLogin(String name, DatabaseLogin login) {
    alone(
        name,
        admin -> {
          requireDatabase(admin, name);
          admin.makeLogin(name, login.user(), login.password());
          admin.actAsOwner(name, login.user());
        });
  }

  @Override
  public void dropLogin(String name, String user) {
    alone(name, admin -> dropRole(admin, name, user));
  }

  @Override
  public void drop(String name) {
    alone(
        name,
        admin -> {
          List<String> logins = admin.logins(name);
          logins.forEach(admin::closeLogin);
          if (admin.hasDatabase(name)) {
            admin.dropDatabase(name);
          }
          logins.forEach(login -> dropRole(admin, name, login));
          dropRole(admin, name, name);
        });
  }

  @Override
  public DatabaseFacts facts(String name) {
    try (SessionStore session = SessionStore.open(askedAlone.get(), CONNECTS, TELLS, Map.of())) {
      return new AdminStore(session).facts(name, 0);
    }
  }

  private static void requireDatabase(AdminStore admin, String name) {
    if (!admin.hasDatabase(name)) {
      throw new AppFailure(FailureCode.DATABASE_FAILED, "there is no database %s".formatted(name));
    }
  }

  // What a login made for itself goes to the owner. It may have been given rights in databases of
  // others, who must not be able to keep it from being dropped.
  private void dropRole(AdminStore admin, String name, String role) {
    if (!admin.hasRole(role)) {
      return;
    }
    admin.closeLogin(role);
    endSessions(admin, role);
    for (String database : admin.databasesWithTraces(role)) {
      inDatabase(
          database,
          inside -> {
            if (database.equals(name)) {
              inside.reassign(role, name);
            }
            inside.dropTraces(role);
          });
    }
    admin.dropTraces(role);
    admin.dropRole(role);
  }

  private static void endSessions(AdminStore admin, String user) {
    boolean ended =
        Pause.until(
            () -> {
              admin.endSessions(user);
              return !admin.hasSessions(user);
            },
            SESSIONS_END);
    if (!ended) {
      throw new AppFailure(
          FailureCode.DATABASE_FAILED,
          "sessions of %s do not end: look at pg_stat_activity on the server".formatted(user));
    }
  }

  private void alone(String name, Consumer<AdminStore> work) {
    try (SessionStore session = SessionStore.open(administrator.get(), CONNECTS, WORKS, Map.of())) {
      AdminStore admin = new AdminStore(session);
      admin.lock(name);
      work.accept(admin);
    }
  }

  private void inDatabase(String name, Consumer<AdminStore> work) {
    DatabaseLink own = administrator.get();
    DatabasePlace place = own.place();
    DatabaseLink there =
        new DatabaseLink(
            new DatabasePlace(place.type(), place.host(), place.port(), name, place.parameters()),
            own.login());
    try (SessionStore session = SessionStore.open(there, CONNECTS, WORKS, UNTOUCHED)) {
      work.accept(new AdminStore(session));
    }
  }
}
