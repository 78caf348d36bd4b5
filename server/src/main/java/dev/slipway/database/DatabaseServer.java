package dev.slipway.database;

/**
 * A server on which we may make databases, each with logins that have rights on it alone. Every
 * method may be called again after it was cut off anywhere, and then finishes. Thread-safe.
 *
 * <p>Names are ours: of {@code a-z}, {@code 0-9} and {@code _}, at most 32 characters. That of a
 * login begins with its database's and {@code _}.
 *
 * <p>All of them throw {@link dev.slipway.core.AppFailure}: {@code DATABASE_UNREACHABLE} where the
 * server does not answer or refuses our login, {@code DATABASE_FAILED} with what it said otherwise.
 */
public interface DatabaseServer {
  /** Stands for this server in the store; the same after every restart. */
  String id();

  /** Where a database of that name is, for applications: whether there is one or not. */
  DatabasePlace place(String name);

  /** Makes the database and the login, or what of it is missing; sets the login's password. */
  void create(String name, DatabaseLogin login);

  /** Makes another login with the same rights: whatever one of them makes is the other's too. */
  void addLogin(String name, DatabaseLogin login);

  /** Ends the login's sessions; nobody logs in with it any more. What it made stays and works. */
  void dropLogin(String name, String user);

  /** Ends all sessions, deletes the database and every login of it. */
  void drop(String name);

  /**
   * @throws dev.slipway.core.AppFailure {@code DATABASE_FAILED} also where there is none of that
   *     name
   */
  DatabaseFacts facts(String name);
}
