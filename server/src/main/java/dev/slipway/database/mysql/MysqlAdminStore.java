package dev.slipway.database.mysql;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.database.DatabaseLogin;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is said to a server, most of it by its administrator. */
final class MysqlAdminStore {
  /** What names are made of: nothing of it can end a quoted name. */
  private static final Pattern OURS = Pattern.compile("[a-z0-9_]{1,32}");

  /** Until the session ends. */
  private static final String LOCK = "SELECT GET_LOCK(?, ?)";

  private static final String LOGINS =
      "SELECT user FROM mysql.user WHERE host = '%' AND LEFT(user, CHAR_LENGTH(?)) = ?";
  private static final String LOGIN = "SELECT user FROM mysql.user WHERE host = '%' AND user = ?";
  private static final String SESSIONS =
      """
      SELECT CONCAT_WS(' ', id, user, command)
      FROM information_schema.processlist WHERE LEFT(user, CHAR_LENGTH(?)) = ?
      """;
  private static final String DATABASE =
      "SELECT 1 FROM information_schema.schemata WHERE schema_name = ?";
  private static final String SIZE =
      """
      SELECT COALESCE(SUM(data_length + index_length), 0)
      FROM information_schema.tables WHERE table_schema = ? AND table_type = 'BASE TABLE'
      """;
  private static final String CONNECTIONS =
      "SELECT COUNT(*) FROM information_schema.processlist WHERE db = ? AND id <> CONNECTION_ID()";
  private static final String VERSION = "SELECT VERSION()";

  /** Somebody else's server says what it likes. */
  private static final Pattern NUMBER = Pattern.compile("\\d{1,5}(?:\\.\\d{1,5}){1,3}");

  private final MysqlSessionStore session;

  MysqlAdminStore(MysqlSessionStore session) {
    this.session = session;
  }

  /** Whether it could be had within that time. */
  boolean lock(String name, int seconds) {
    return session.column(LOCK, name, seconds).equals(List.of("1"));
  }

  boolean hasDatabase(String name) {
    return !session.column(DATABASE, name).isEmpty();
  }

  void createDatabase(String name) {
    session.execute(
        "CREATE DATABASE IF NOT EXISTS `%s` CHARACTER SET utf8mb4".formatted(ours(name)));
  }

  void dropDatabase(String name) {
    session.execute("DROP DATABASE IF EXISTS `%s`".formatted(ours(name)));
  }

  /**
   * A login with all rights on the database, whatever of it there was.
   *
   * @param connections that it may have at a time
   */
  void putLogin(String name, DatabaseLogin login, int connections) {
    String user = account(login.user());
    String identified = identified(login.password());
    session.execute("CREATE USER IF NOT EXISTS %s %s".formatted(user, identified));
    session.execute(
        "ALTER USER %s %s WITH MAX_USER_CONNECTIONS %d ACCOUNT UNLOCK"
            .formatted(user, identified, connections));
    // In this place _ stands for any character.
    session.execute(
        "GRANT ALL PRIVILEGES ON `%s`.* TO %s".formatted(ours(name).replace("_", "\\_"), user));
  }

  List<String> logins(String name) {
    String beginning = ours(name) + "_";
    return session.column(LOGINS, beginning, beginning);
  }

  boolean hasLogin(String user) {
    return !session.column(LOGIN, user).isEmpty();
  }

  /** Nobody logs in with it any more; sessions stay. What it defined goes on with its rights. */
  void closeLogin(String user, Secret newPassword) {
    session.execute(
        "ALTER USER %s %s ACCOUNT LOCK".formatted(account(user), identified(newPassword)));
  }

  void dropLogin(String user) {
    session.execute("DROP USER IF EXISTS " + account(user));
  }

  /**
   * A session.
   *
   * @param user whose rights it has now: while it is in a routine, those of who defined that
   * @param idle which it is in no routine
   */
  record Session(String id, String user, boolean idle) {}

  /** Those of the database's logins. */
  List<Session> sessions(String name) {
    String beginning = ours(name) + "_";
    return session.column(SESSIONS, beginning, beginning).stream()
        .map(row -> row.split(" ", 3))
        .map(row -> new Session(row[0], row[1], row[2].equals("Sleep")))
        .toList();
  }

  void endSession(String name, String id) {
    try {
      session.execute("KILL CONNECTION " + Long.parseLong(id));
    } catch (AppFailure e) {
      if (sessions(name).stream().anyMatch(it -> it.id().equals(id))) {
        throw e; // else it ended by itself
      }
    }
  }

  /**
   * @throws AppFailure {@code DATABASE_FAILED} where there is none of that name
   */
  DatabaseFacts facts(String name) {
    if (!hasDatabase(name)) {
      throw new AppFailure(FailureCode.DATABASE_FAILED, "there is no database %s".formatted(name));
    }
    return new DatabaseFacts(
        Long.parseLong(session.column(SIZE, name).getFirst()),
        Integer.parseInt(session.column(CONNECTIONS, name).getFirst()),
        version());
  }

  private String version() {
    String version = session.column(VERSION).getFirst();
    Matcher number = NUMBER.matcher(version);
    return (isMaria(version) ? "MariaDB " : "MySQL ")
        + (number.lookingAt() ? number.group() : "of an unknown version");
  }

  private static boolean isMaria(String version) {
    return version.contains("MariaDB");
  }

  /**
   * MariaDB writes statements to its general log as they are, so it gets a hash; MySQL hides
   * passwords there by itself, and its newest versions take no such hash.
   */
  private String identified(Secret password) {
    return isMaria(session.column(VERSION).getFirst())
        ? "IDENTIFIED VIA mysql_native_password USING '%s'".formatted(nativeHash(password))
        : "IDENTIFIED BY '%s'"
            .formatted(password.reveal().replace("\\", "\\\\").replace("'", "''"));
  }

  private static String nativeHash(Secret password) {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      byte[] once = sha1.digest(password.reveal().getBytes(StandardCharsets.UTF_8));
      return "*" + HexFormat.of().withUpperCase().formatHex(sha1.digest(once));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  private static String account(String user) {
    return "'%s'@'%%'".formatted(ours(user));
  }

  private static String ours(String name) {
    if (!OURS.matcher(name).matches()) {
      throw new IllegalArgumentException("a name of a database or login that is not ours");
    }
    return name;
  }
}
