package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.EnvVars;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseAddress;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseServer;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.Dumps;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The PostgreSQL of the tests as a server that makes databases, which can be away. */
final class TestServer implements DatabaseServer, DatabaseProvider, AutoCloseable {
  private static final String ID = "test";
  final TestDumps dumps;
  private final CutOff cutOff;
  private final Database administration = TestDatabase.empty();
  private final Set<String> made = ConcurrentHashMap.newKeySet();
  private volatile boolean away;
  private volatile boolean configured = true;

  TestServer(CutOff cutOff) {
    this.cutOff = cutOff;
    this.dumps = new TestDumps(this, cutOff);
  }

  void away(boolean isAway) {
    away = isAway;
  }

  void configured(boolean isConfigured) {
    configured = isConfigured;
  }

  @Override
  public DatabaseType type() {
    return DatabaseType.POSTGRES;
  }

  @Override
  public Optional<DatabaseServer> server() {
    return configured ? Optional.of(this) : Optional.empty();
  }

  @Override
  public Optional<DatabaseServer> server(String id) {
    return server().filter(_ -> id.equals(ID));
  }

  @Override
  public DatabaseAddress parse(String url) {
    throw new UnsupportedOperationException(url.length() + " characters");
  }

  @Override
  public DatabaseFacts check(DatabaseLink link) {
    try (Connection connection = connect(link)) {
      return new DatabaseFacts(0, 1, connection.getMetaData().getDatabaseProductName());
    } catch (SQLException e) {
      throw new AppFailure(FailureCode.DATABASE_UNREACHABLE, String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public EnvVars variables(DatabaseLink link) {
    return new EnvVars(
        Map.of(
            "PGUSER", link.login().user(),
            "PGPASSWORD", link.login().password().reveal(),
            "PGDATABASE", link.place().name()));
  }

  @Override
  public Dumps dumps() {
    return dumps;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public DatabasePlace place(String name) {
    InetSocketAddress host = administration.address().hosts().getFirst();
    return new DatabasePlace(
        DatabaseType.POSTGRES, host.getHostString(), host.getPort(), name, Map.of());
  }

  @Override
  public void create(String name, DatabaseLogin login) {
    made.add(name);
    if (!exists("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ?)", name)) {
      administer("CREATE ROLE " + name + " NOLOGIN");
    }
    if (!exists("SELECT EXISTS (SELECT FROM pg_database WHERE datname = ?)", name)) {
      administer("CREATE DATABASE " + name + " OWNER " + name);
    }
    administer("REVOKE ALL ON DATABASE " + name + " FROM PUBLIC");
    addLogin(name, login);
  }

  @Override
  public void addLogin(String name, DatabaseLogin login) {
    if (!exists("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ?)", login.user())) {
      administer("CREATE ROLE " + login.user() + " LOGIN IN ROLE " + name);
    }
    administer(
        "ALTER ROLE " + login.user() + " IN DATABASE " + name + " SET role = '" + name + "'");
    administer("ALTER ROLE " + login.user() + " PASSWORD '" + login.password().reveal() + "'");
  }

  @Override
  public void dropLogin(String name, String user) {
    administer("DROP ROLE IF EXISTS " + user);
  }

  @Override
  public void drop(String name) {
    administer("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    logins(name).forEach(login -> dropLogin(name, login));
    administer("DROP ROLE IF EXISTS " + name);
  }

  @Override
  public DatabaseFacts facts(String name) {
    // As of a server that is being started.
    Servers.patiently(() -> {
      requireThere();
      return name;
    });
    return new DatabaseFacts(
        administration.read(handle ->
            handle.createQuery("SELECT pg_database_size(?)").bind(0, name).mapTo(Long.class).one()),
        0,
        "PostgreSQL of the tests");
  }

  /** What was made for databases of projects and is there now. */
  List<String> databases() {
    return there("db_");
  }

  private List<String> there(String prefix) {
    return names("SELECT datname FROM pg_database WHERE starts_with(datname, ?)", prefix).stream()
        .filter(made::contains)
        .toList();
  }

  List<String> logins(String name) {
    return names(
        "SELECT rolname FROM pg_roles WHERE rolcanlogin AND starts_with(rolname, ?) ORDER BY 1",
        name + "_");
  }

  boolean opens(DatabaseLink link) {
    try (Connection _ = connect(link)) {
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  Connection connect(DatabaseLink link) throws SQLException {
    DatabasePlace place = link.place();
    return DriverManager.getConnection(
        "jdbc:postgresql://%s:%d/%s".formatted(place.host(), place.port(), place.name()),
        link.login().user(),
        link.login().password().reveal());
  }

  /** A database elsewhere, as far as we know. */
  DatabaseLink elsewhere() {
    Physical made = Physical.next(DatabaseType.POSTGRES, ID, 1);
    String name = "else_" + made.name();
    DatabaseLogin login = new DatabaseLogin(name + "_1", new Secret("p4ssword-of-elsewhere"));
    create(name, login);
    return new DatabaseLink(place(name), login);
  }

  private List<String> names(String query, String parameter) {
    return administration.read(
        handle -> handle.createQuery(query).bind(0, parameter).mapTo(String.class).list());
  }

  private boolean exists(String query, String name) {
    requireThere();
    return administration.read(
        handle -> handle.createQuery(query).bind(0, name).mapTo(Boolean.class).one());
  }

  private void administer(String statement) {
    requireThere();
    cutOff.step();
    var _ = administration.read(handle -> handle.execute(statement));
    cutOff.step();
  }

  private void requireThere() {
    if (away) {
      throw new AppFailure(FailureCode.DATABASE_UNREACHABLE, "The server does not answer.");
    }
  }

  /** Drops what the test left. */
  @Override
  public void close() {
    away = false;
    cutOff.never();
    there("").forEach(this::drop);
    administration.close();
  }
}
