package dev.slipway.db;

import dev.slipway.core.TransientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Brings the schema to the state that this program expects: {@code V001__name.sql} and on, forward
 * only. Several servers may do it at once. When every script is in the history already, Flyway,
 * which costs a fifth of a second, is not even loaded.
 */
public final class SchemaMigrations {
  /** On the class path. */
  public static final String LOCATION = "db/migration";

  private static final Pattern SCRIPT = Pattern.compile("V(\\d+)__\\w+\\.sql");
  static final String HISTORY = "flyway_schema_history";

  private final String location;

  public SchemaMigrations() {
    this(LOCATION);
  }

  SchemaMigrations(String location) {
    this.location = location;
  }

  /** A schema newer than this program is left alone: an older server beside a newer one works. */
  public void apply(DataSource store) {
    Set<Integer> expected = scripts();
    if (expected.isEmpty()) {
      throw new IllegalStateException("no schema migrations on the class path at " + location);
    }
    if (!applied(store).containsAll(expected)) {
      Flyway.configure()
          .dataSource(store)
          .locations("classpath:" + location)
          .table(HISTORY)
          .validateMigrationNaming(true)
          .cleanDisabled(true)
          .load()
          .migrate();
    }
  }

  /**
   * For commands beside a server, which may be of another version: they never change the schema.
   *
   * @throws IllegalStateException where it is older than this program
   */
  public void require(DataSource store) {
    Set<Integer> applied = applied(store);
    if (applied.isEmpty()) {
      throw new IllegalStateException(
          "the store is empty: start the server on it once, which makes the first account");
    }
    if (!applied.containsAll(scripts())) {
      throw new IllegalStateException(
          "the store has the schema of an older version: start a server of this version on it first");
    }
  }

  /** The newest script of this program. */
  int newest() {
    return scripts().stream().max(Integer::compare).orElseThrow();
  }

  /** The newest script that a store has had. */
  static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return history(statement).stream().max(Integer::compare).orElse(0);
    }
  }

  private static Set<Integer> applied(DataSource store) {
    try (Connection connection = store.getConnection();
        Statement statement = connection.createStatement()) {
      return hasHistory(statement) ? history(statement) : Set.of();
    } catch (SQLException e) {
      throw new TransientException("cannot read the schema's history: " + e.getMessage(), e);
    }
  }

  private static boolean hasHistory(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery("SELECT to_regclass('%s') IS NOT NULL".formatted(HISTORY))) {
      return row.next() && row.getBoolean(1);
    }
  }

  private static Set<Integer> history(Statement statement) throws SQLException {
    String applied =
        "SELECT version FROM %s WHERE success AND version IS NOT NULL".formatted(HISTORY);
    Set<Integer> versions = new TreeSet<>();
    try (ResultSet rows = statement.executeQuery(applied)) {
      while (rows.next()) {
        versions.add(Integer.valueOf(rows.getString(1)));
      }
    }
    return versions;
  }

  // Either our jar or, in a development tree, a folder of classes; Flyway's scanner knows more.
  private Set<Integer> scripts() {
    URL url = SchemaMigrations.class.getResource("/" + location);
    if (url == null) {
      return Set.of();
    }
    try {
      return url.openConnection() instanceof JarURLConnection jar
          ? versions(jar.getJarFile().stream().map(JarEntry::getName))
          : folderVersions(Path.of(URI.create(url.toString())));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list the schema migrations in " + url, e);
    }
  }

  private Set<Integer> folderVersions(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return versions(files.map(file -> location + "/" + file.getFileName()));
    }
  }

  private Set<Integer> versions(Stream<String> names) {
    return names
        .filter(name -> name.startsWith(location + "/"))
        .map(name -> SCRIPT.matcher(name.substring(location.length() + 1)))
        .filter(Matcher::matches)
        .map(script -> Integer.valueOf(script.group(1)))
        .collect(Collectors.toSet());
  }
}
