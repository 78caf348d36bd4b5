package dev.slipway.database.postgres;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabaseLink;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One session on a PostgreSQL server. What goes wrong comes out as {@link AppFailure} with what the
 * server said, in one line and without the password. Not thread-safe.
 */
final class SessionStore implements AutoCloseable {
  private static final int MAX_MESSAGE = 400;

  private final DatabaseLink link;
  private final Connection connection;

  private SessionStore(DatabaseLink link, Connection connection) {
    this.link = link;
    this.connection = connection;
  }

  /**
   * @param connects how long a connection may take
   * @param answers how long each answer may take
   * @param settings of the session
   */
  static SessionStore open(
      DatabaseLink link, Duration connects, Duration answers, Map<String, String> settings) {
    try {
      return new SessionStore(
          link,
          DriverManager.getConnection(
              DriverProperties.url(link), DriverProperties.of(link, connects, answers, settings)));
    } catch (SQLException e) {
      throw unreachable(link, said(link, e));
    }
  }

  /** That nobody could log in, and why. */
  static AppFailure unreachable(DatabaseLink link, String why) {
    return new AppFailure(
        FailureCode.DATABASE_UNREACHABLE,
        "cannot log in to the PostgreSQL database %s at %s:%d as %s: %s"
            .formatted(
                link.place().name(),
                link.place().host(),
                link.place().port(),
                link.login().user(),
                why));
  }

  void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** All of these or none. */
  void executeTogether(List<String> statements) {
    execute("BEGIN");
    try {
      statements.forEach(this::execute);
    } catch (RuntimeException e) {
      execute("ROLLBACK");
      throw e;
    }
    execute("COMMIT");
  }

  /** The rows, with their columns as text; a null is an empty one. */
  List<List<String>> rows(String query, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        List<List<String>> all = new ArrayList<>();
        while (rows.next()) {
          all.add(row(rows));
        }
        return all;
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Whether there is such a row. */
  boolean has(String query, Object... parameters) {
    return !rows(query, parameters).isEmpty();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private static List<String> row(ResultSet rows) throws SQLException {
    List<String> row = new ArrayList<>();
    for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
      row.add(Objects.requireNonNullElse(rows.getString(column), ""));
    }
    return row;
  }

  private AppFailure failure(SQLException e) {
    String state = Objects.requireNonNullElse(e.getSQLState(), "");
    return state.startsWith("08") || state.startsWith("57P")
        ? unreachable(link, said(link, e))
        : new AppFailure(
            FailureCode.DATABASE_FAILED,
            "the PostgreSQL server at %s:%d refused what was asked of it: %s"
                .formatted(link.place().host(), link.place().port(), said(link, e)));
  }

  private static String said(DatabaseLink link, SQLException e) {
    String said =
        switch (e.getCause()) {
          case UnknownHostException _ -> "there is no host of that name";
          case SocketTimeoutException _ -> "it did not answer in time";
          case null, default -> String.valueOf(e.getMessage());
        };
    String password = link.login().password().reveal();
    String oneLine =
        (password.isEmpty() ? said : said.replace(password, "[secret]"))
            .replaceAll("[\\p{Cntrl}\\s]+", " ")
            .strip();
    return oneLine.length() <= MAX_MESSAGE ? oneLine : oneLine.substring(0, MAX_MESSAGE) + "…";
  }
}
