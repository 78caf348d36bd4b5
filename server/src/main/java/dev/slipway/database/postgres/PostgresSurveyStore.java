package dev.slipway.database.postgres;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.postgresql.ds.PGSimpleDataSource;

/** Asks a database what must be known before it is dumped, or filled. */
final class PostgresSurveyStore {
  private static final int SECONDS = 10;

  private static final String FACTS =
      """
      SELECT current_setting('server_version_num')::int / 10000 AS major,
             pg_database_size(current_database()) AS size
      """;

  private static final String EXTENSIONS =
      "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'";

  /** Those that are there, and those that this login may make. */
  private static final String POSSIBLE_EXTENSIONS =
      """
      SELECT extname FROM pg_extension
      UNION
      SELECT name FROM pg_available_extension_versions
      WHERE NOT superuser OR trusted
            OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
      """;

  private PostgresSurveyStore() {}

  /**
   * @param major of the server's version, such as 15
   * @param extensions that the database has, {@code plpgsql} excepted
   * @param possible extensions that it has or can get
   */
  record Survey(int major, long sizeBytes, Set<String> extensions, Set<String> possible) {}

  /**
   * @param role of the database in the sentence that says what is wrong: {@code source}
   * @throws AppFailure {@code DATABASE_FAILED} where it cannot be asked
   */
  static Survey survey(DatabaseLink link, String role) {
    try (Connection connection = source(link).getConnection();
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(SECONDS);
      try (ResultSet facts = statement.executeQuery(FACTS)) {
        facts.next();
        int major = facts.getInt("major");
        long size = facts.getLong("size");
        return new Survey(
            major, size, names(statement, EXTENSIONS), names(statement, POSSIBLE_EXTENSIONS));
      }
    } catch (SQLException e) {
      throw new AppFailure(
          FailureCode.DATABASE_FAILED,
          "The %s database at %s, port %d, cannot be read: %s"
              .formatted(role, link.place().host(), link.place().port(), e.getMessage()));
    }
  }

  private static Set<String> names(Statement statement, String sql) throws SQLException {
    Set<String> names = new TreeSet<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  private static PGSimpleDataSource source(DatabaseLink link) {
    DatabasePlace place = link.place();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {place.host()});
    source.setPortNumbers(new int[] {place.port()});
    source.setDatabaseName(place.name());
    source.setUser(link.login().user());
    source.setPassword(link.login().password().reveal());
    source.setLoginTimeout(SECONDS);
    source.setConnectTimeout(SECONDS);
    source.setSocketTimeout(3 * SECONDS);
    source.setGssEncMode("disable");
    Optional.ofNullable(place.parameters().get("sslmode")).ifPresent(source::setSslMode);
    return source;
  }
}
