package dev.slipway.database.postgres;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PasswordUtil;

/** What is said to a server by its administrator. */
final class AdminStore {
  /** No other server of ours works on that database until this session ends. */
  private static final String LOCK = "SELECT pg_advisory_lock(hashtextextended(?, 0))";

  private static final String ROLE = "SELECT 1 FROM pg_roles WHERE rolname = ?";
  private static final String DATABASE = "SELECT 1 FROM pg_database WHERE datname = ?";
  private static final String LOGINS =
      """
      SELECT rolname FROM pg_roles
      WHERE starts_with(rolname, ? || '_') ORDER BY rolname
      """;
  private static final String ABOUT_US =
      """
      SELECT rolsuper, current_setting('server_version_num')::integer >= 160000
      FROM pg_roles WHERE rolname = current_user
      """;
  private static final String SESSIONS = "SELECT 1 FROM pg_stat_activity WHERE usename = ?";
  private static final String END_SESSIONS =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ?";
  private static final String DATABASES_WITH_TRACES =
      """
      SELECT DISTINCT d.datname
      FROM pg_shdepend s JOIN pg_database d ON d.oid = s.dbid
      WHERE s.refclassid = 'pg_authid'::regclass AND d.datallowconn
        AND s.refobjid = (SELECT oid FROM pg_roles WHERE rolname = ?)
      """;
  // Who has no name there is no session but a worker of the server's.
  private static final String FACTS =
      """
      SELECT pg_catalog.pg_database_size(d.oid),
        (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_activity a
         WHERE a.datid = d.oid AND a.usesysid IS NOT NULL) - ?::integer,
        pg_catalog.current_setting('server_version')
      FROM pg_catalog.pg_database d WHERE d.datname = ?
      """;

  /** Somebody else's server says what it likes. */
  private static final Pattern VERSION = Pattern.compile("[\\w.+~-]{1,40}");

  private final SessionStore session;

  AdminStore(SessionStore session) {
    this.session = session;
  }

  void lock(String name) {
    var _ = session.rows(LOCK, name);
  }

  boolean hasRole(String role) {
    return session.has(ROLE, role);
  }

  boolean hasDatabase(String name) {
    return session.has(DATABASE, name);
  }

  List<String> logins(String name) {
    return session.rows(LOGINS, name).stream().map(List::getFirst).toList();
  }

  /** The role that everything in the database belongs to, and nobody logs in as. */
  void makeOwner(String name) {
    List<String> statements = new ArrayList<>();
    if (!hasRole(name)) {
      statements.add("CREATE ROLE %s NOLOGIN".formatted(Identifier.quoted(name)));
    }
    statements.addAll(joining(name));
    session.executeTogether(statements);
  }

  /**
   * A login that is as good as the owner. The server gets what the password is checked with, not
   * the password: it may write statements to its log.
   */
  void makeLogin(String name, String user, Secret password) {
    String login = Identifier.quoted(user);
    List<String> statements = new ArrayList<>();
    if (!hasRole(user)) {
      statements.add("CREATE ROLE " + login);
    }
    statements.add(
        "ALTER ROLE %s LOGIN PASSWORD '%s'"
            .formatted(login, PasswordUtil.encodeScramSha256(password.reveal().toCharArray())));
    statements.add("GRANT %s TO %s".formatted(Identifier.quoted(name), login));
    statements.addAll(joining(user));
    session.executeTogether(statements);
  }

  /** Nobody can connect to it yet: all may do that until they are told otherwise. */
  void makeDatabase(String name, int connections) {
    session.execute(
        """
        CREATE DATABASE %s OWNER %1$s TEMPLATE template0 ENCODING 'UTF8'
        ALLOW_CONNECTIONS false CONNECTION LIMIT %d
        """
            .formatted(Identifier.quoted(name), connections));
  }

  void openDatabase(String name) {
    String database = Identifier.quoted(name);
    session.executeTogether(
        List.of(
            "REVOKE ALL ON DATABASE %s FROM PUBLIC".formatted(database),
            "ALTER DATABASE %s ALLOW_CONNECTIONS true".formatted(database)));
  }

  /** Whatever that login makes in the database belongs to the owner. */
  void actAsOwner(String name, String user) {
    session.execute(
        "ALTER ROLE %s IN DATABASE %s SET role = %2$s"
            .formatted(Identifier.quoted(user), Identifier.quoted(name)));
  }

  /** Lets it not log in any more. */
  void closeLogin(String user) {
    List<String> statements = new ArrayList<>(joining(user));
    statements.add("ALTER ROLE %s NOLOGIN".formatted(Identifier.quoted(user)));
    session.executeTogether(statements);
  }

  boolean hasSessions(String user) {
    return session.has(SESSIONS, user);
  }

  void endSessions(String user) {
    var _ = session.rows(END_SESSIONS, user);
  }

  /** Where something belongs to that role, or names it. */
  List<String> databasesWithTraces(String role) {
    return session.rows(DATABASES_WITH_TRACES, role).stream().map(List::getFirst).toList();
  }

  /** In the database of this session. */
  void reassign(String user, String name) {
    session.execute(
        "REASSIGN OWNED BY %s TO %s".formatted(Identifier.quoted(user), Identifier.quoted(name)));
  }

  /** In the database of this session, and of what all databases share. */
  void dropTraces(String role) {
    session.execute("DROP OWNED BY " + Identifier.quoted(role));
  }

  void dropRole(String role) {
    session.execute("DROP ROLE IF EXISTS " + Identifier.quoted(role));
  }

  void dropDatabase(String name) {
    session.execute("DROP DATABASE IF EXISTS %s WITH (FORCE)".formatted(Identifier.quoted(name)));
  }

  /**
   * @param ownSessions how many sessions in that database are ours
   */
  DatabaseFacts facts(String name, int ownSessions) {
    return session.rows(FACTS, ownSessions, name).stream()
        .map(row ->
            new DatabaseFacts(
                row.get(0).isEmpty() ? 0 : Long.parseLong(row.get(0)),
                Integer.parseInt(row.get(1)),
                version(row.get(2))))
        .findFirst()
        .orElseThrow(() ->
            new AppFailure(FailureCode.DATABASE_FAILED, "there is no database %s".formatted(name)));
  }

  private static String version(String said) {
    Matcher version = VERSION.matcher(said);
    return version.lookingAt() ? "PostgreSQL " + version.group() : "PostgreSQL";
  }

  /** On a cluster of our own: nobody else has business in the server's own databases. */
  void closeOwnDatabases() {
    session.executeTogether(
        List.of(
            "REVOKE ALL ON DATABASE postgres FROM PUBLIC",
            "REVOKE ALL ON DATABASE template1 FROM PUBLIC",
            // What programs raise would fill the server's log, and show what it likes.
            "ALTER ROLE ALL SET log_min_messages = 'panic'"));
  }

  // An administrator who is no superuser gets rights on what he makes by being a member of it.
  private List<String> joining(String role) {
    List<String> us = session.rows(ABOUT_US).getFirst();
    if (us.get(0).equals("t")) {
      return List.of();
    }
    String rights = us.get(1).equals("t") ? " WITH INHERIT TRUE, SET TRUE" : "";
    return List.of("GRANT %s TO CURRENT_USER%s".formatted(Identifier.quoted(role), rights));
  }
}
