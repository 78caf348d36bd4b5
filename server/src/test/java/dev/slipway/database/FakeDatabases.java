package dev.slipway.database;

import dev.slipway.core.AppFailure;
import dev.slipway.core.EnvVars;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Remembers which databases it was asked for and makes none; nothing answers where they are. */
public final class FakeDatabases implements DatabaseProvider, DatabaseServer, Dumps {
  /** Whoever logs in with it to a database elsewhere is refused. */
  public static final Secret WRONG = new Secret("wrong-p4ssword");

  private final Set<String> made = ConcurrentHashMap.newKeySet();

  /** Names of those that there are. */
  public Set<String> made() {
    return Set.copyOf(made);
  }

  /** A database elsewhere. */
  public static DatabaseLink elsewhere(Secret password) {
    return new DatabaseLink(placeOf("elsewhere"), new DatabaseLogin("ada", password));
  }

  private static DatabasePlace placeOf(String name) {
    return new DatabasePlace(DatabaseType.POSTGRES, "127.0.0.1", 1, name, Map.of());
  }

  @Override
  public DatabaseType type() {
    return DatabaseType.POSTGRES;
  }

  @Override
  public Optional<DatabaseServer> server() {
    return Optional.of(this);
  }

  @Override
  public Optional<DatabaseServer> server(String id) {
    return server();
  }

  @Override
  public DatabaseAddress parse(String url) {
    throw new IllegalArgumentException("is no address that a fake knows");
  }

  @Override
  public DatabaseFacts check(DatabaseLink link) {
    if (link.login().password().reveal().equals(WRONG.reveal())) {
      throw new AppFailure(
          FailureCode.DATABASE_UNREACHABLE, "The server refused the login of ada.");
    }
    return new DatabaseFacts(0, 0, "a fake");
  }

  @Override
  public EnvVars variables(DatabaseLink link) {
    String user = link.login().user();
    String password = link.login().password().reveal();
    String name = link.place().name();
    return new EnvVars(
        Map.of(
            "DATABASE_URL", "postgres://%s:%s@127.0.0.1:1/%s".formatted(user, password, name),
            "PGHOST", "127.0.0.1",
            "PGUSER", user,
            "PGPASSWORD", password,
            "PGDATABASE", name));
  }

  @Override
  public Dumps dumps() {
    return this;
  }

  @Override
  public String id() {
    return "fake";
  }

  @Override
  public DatabasePlace place(String name) {
    return placeOf(name);
  }

  @Override
  public void create(String name, DatabaseLogin login) {
    made.add(name);
  }

  @Override
  public void addLogin(String name, DatabaseLogin login) {}

  @Override
  public void dropLogin(String name, String user) {}

  @Override
  public void drop(String name) {
    made.remove(name);
  }

  @Override
  public DatabaseFacts facts(String name) {
    return new DatabaseFacts(0, 0, "a fake");
  }

  @Override
  public long backup(DatabaseLink from, Path file, Consumer<String> progress) {
    throw new AppFailure(FailureCode.DATABASE_FAILED, "A fake has nothing to back up.");
  }

  @Override
  public void restore(Path file, DatabaseLink into, Consumer<String> progress) {}

  @Override
  public void copy(DatabaseLink from, DatabaseLink into, Consumer<String> progress) {}
}
