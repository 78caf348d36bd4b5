package dev.slipway.database.mysql;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabasePlace;
import java.net.ConnectException;
import java.net.InetAddress;
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
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * One session with a server. What goes wrong comes out as {@link AppFailure} with what the server
 * said, in one line and without the password. Not thread-safe.
 */
final class MysqlSessionStore implements AutoCloseable {
  private static final String CONNECTS_MILLIS = "5000";
  private static final int MAX_MESSAGE = 400;
  private static final int NEEDS_ENCRYPTION = 3159;
  private static final int TOO_MANY_CONNECTIONS = 1226;

  /** The driver gets nothing else: by some of its settings it reads files, or loads classes. */
  private static final Map<String, String> ALWAYS =
      Map.of(
          "connectTimeout",
          CONNECTS_MILLIS,
          "socketFactory",
          BoundedSockets.class.getName(),
          "allowLocalInfile",
          "false",
          // To where the server likes.
          "permitRedirect",
          "false",
          // By others every server would get the password as it is, or a ticket of Kerberos.
          "restrictedAuth",
          "mysql_native_password,caching_sha2_password,client_ed25519,parsec",
          // No certificate of this server's is shown to others.
          "fallbackToSystemKeyStore",
          "false",
          "dumpQueriesOnException",
          "false");

  private final DatabaseLink link;
  private final Connection connection;

  private MysqlSessionStore(DatabaseLink link, Connection connection) {
    this.link = link;
    this.connection = connection;
  }

  /**
   * @param answers how long each answer may take
   * @throws AppFailure {@code DATABASE_UNREACHABLE} with what the server says
   */
  static MysqlSessionStore open(DatabaseLink link, Duration answers) {
    try {
      return new MysqlSessionStore(link, connect(link, answers));
    } catch (SQLException e) {
      throw unreachable(link, said(link, e));
    }
  }

  private static Connection connect(DatabaseLink link, Duration answers) throws SQLException {
    Iterator<String> modes = SslMode.of(link.place()).ofDriver().iterator();
    while (true) {
      try {
        return connect(link, answers, modes.next());
      } catch (SQLException e) {
        if (!modes.hasNext() || !String.valueOf(e.getMessage()).contains("ssl not enabled")) {
          throw e;
        }
      }
    }
  }

  private static Connection connect(DatabaseLink link, Duration answers, String sslMode)
      throws SQLException {
    DatabasePlace place = link.place();
    Properties settings = new Properties();
    ALWAYS.forEach(settings::setProperty);
    settings.setProperty("user", link.login().user());
    settings.setProperty("password", link.login().password().reveal());
    settings.setProperty("socketTimeout", Long.toString(answers.toMillis()));
    settings.setProperty("sslMode", sslMode);
    // Whoever is between us and the server could give his own key; here nobody is.
    settings.setProperty("allowPublicKeyRetrieval", Boolean.toString(isHere(place.host())));
    Connection connection =
        DriverManager.getConnection("jdbc:mariadb://%s/".formatted(place.authority()), settings);
    try {
      if (!place.name().isEmpty()) {
        connection.setCatalog(place.name()); // in the URL its name could begin parameters
      }
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** That nobody could log in, and why. */
  static AppFailure unreachable(DatabaseLink link, String why) {
    DatabasePlace place = link.place();
    return new AppFailure(
        FailureCode.DATABASE_UNREACHABLE,
        "cannot log in to the MySQL %s at %s:%d as %s: %s"
            .formatted(
                place.name().isEmpty() ? "server" : "database " + place.name(),
                place.host(),
                place.port(),
                link.login().user(),
                why));
  }

  /** Whether nobody can be between us and that host. */
  static boolean isHere(String host) {
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException aName) {
      return false;
    }
  }

  /** Runs a statement, whose text holds no value from outside. */
  void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** The first column, as text; a null is an empty one. */
  List<String> column(String query, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      List<String> all = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          all.add(Objects.requireNonNullElse(rows.getString(1), ""));
        }
      }
      return all;
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private AppFailure failure(SQLException e) {
    return String.valueOf(e.getSQLState()).startsWith("08")
        ? unreachable(link, said(link, e))
        : new AppFailure(
            FailureCode.DATABASE_FAILED,
            "the MySQL server at %s:%d refused what was asked of it: %s"
                .formatted(link.place().host(), link.place().port(), said(link, e)));
  }

  private static String said(DatabaseLink link, SQLException e) {
    String said = ofNetwork(e).orElseGet(() -> String.valueOf(e.getMessage()));
    String password = link.login().password().reveal();
    String oneLine =
        (password.isEmpty() ? said : said.replace(password, "[secret]"))
            .replaceAll("[\\p{Cntrl}\\s]+", " ")
            .replaceFirst("^\\(conn=-?\\d+\\) ", "") // which the driver says
            .strip();
    String shown =
        oneLine.length() <= MAX_MESSAGE ? oneLine : oneLine.substring(0, MAX_MESSAGE) + "…";
    return shown + remedy(e.getErrorCode());
  }

  private static String remedy(int error) {
    return switch (error) {
      case NEEDS_ENCRYPTION ->
          "; end its address with ?%s=%s".formatted(SslMode.PARAMETER, SslMode.REQUIRED);
      case TOO_MANY_CONNECTIONS -> "; end some of the programs that use it first";
      default -> "";
    };
  }

  private static Optional<String> ofNetwork(SQLException e) {
    return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
        .<String>mapMulti((cause, found) -> {
          switch (cause) {
            case UnknownHostException _ -> found.accept("there is no host of that name");
            case SocketTimeoutException _ -> found.accept("it did not answer in time");
            case ConnectException refused -> found.accept(String.valueOf(refused.getMessage()));
            default -> {}
          }
        })
        .findFirst();
  }
}
