package dev.slipway.db;

import dev.slipway.core.TransientException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

/**
 * Keeps a second server off a store. Programs run as processes of one host: a server on another
 * would send visitors to ports of its own. Held by a connection, so it goes with the server.
 */
public final class SoleServer implements AutoCloseable {
  /** Any number that no other program locks: "slipway" in ASCII, shortened. */
  private static final String TRY_LOCK = "SELECT pg_try_advisory_lock(8314327850)";

  /** A server that was just killed may still be connected for a moment. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Connection connection;

  private SoleServer(Connection connection) {
    this.connection = connection;
  }

  /**
   * @throws IllegalStateException with a sentence for the operator where another server has it
   * @throws TransientException where the store does not answer
   */
  public static SoleServer acquire(StoreAddress address) {
    Properties properties = address.connectionProperties("slipway lock");
    try {
      Connection connection = DriverManager.getConnection(address.jdbcUrl(), properties);
      if (!Pause.until(() -> locked(connection), PATIENCE)) {
        connection.close();
        throw new IllegalStateException(
            "another server uses the store at %s: stop it first; one store is for one server"
                .formatted(address.jdbcUrl()));
      }
      return new SoleServer(connection);
    } catch (SQLException e) {
      throw away(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw away(e);
    }
  }

  private static boolean locked(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(TRY_LOCK)) {
      return row.next() && row.getBoolean(1);
    } catch (SQLException e) {
      throw away(e);
    }
  }

  private static TransientException away(SQLException cause) {
    return new TransientException("the store did not answer: " + cause.getMessage(), cause);
  }
}
