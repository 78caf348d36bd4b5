package dev.slipway.database;

import dev.slipway.core.EnvVars;
import java.util.Optional;

/** One kind of databases. Thread-safe. */
public interface DatabaseProvider {
  DatabaseType type();

  /**
   * The server on which new databases are made; empty where the configuration names none. May take
   * seconds where it has to be started first.
   */
  Optional<DatabaseServer> server();

  /** The server of that {@link DatabaseServer#id}, where it is still known. */
  Optional<DatabaseServer> server(String id);

  /**
   * Reads the address of a database that exists elsewhere.
   *
   * @throws IllegalArgumentException with what is wrong with it, without quoting a password
   */
  DatabaseAddress parse(String url);

  /**
   * Logs in and runs a statement, within ten seconds.
   *
   * @return what the server says of it
   * @throws dev.slipway.core.AppFailure {@code DATABASE_UNREACHABLE} with what the server said
   */
  DatabaseFacts check(DatabaseLink link);

  /** {@code DATABASE_URL} and the usual single variables. */
  EnvVars variables(DatabaseLink link);

  /** Backups and copies of databases of this kind. */
  Dumps dumps();
}
