package dev.slipway.db;

import dev.slipway.core.TransientException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * A lock of a store that one process has at a time. Held by a connection of its own, so that it
 * goes with the process.
 */
final class StoreLock implements AutoCloseable {
  /** Who had it until now may still be connected for a moment, or only be asking. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Connection connection;
  private final long number;

  private StoreLock(Connection connection, long number) {
    this.connection = connection;
    this.number = number;
  }

  /**
   * Waits a few seconds for it.
   *
   * @param number by which it is known
   * @param name of the connection, for people who look at the store
   * @return empty where another process has it
   * @throws TransientException where the store does not answer
   */
  static Optional<StoreLock> acquire(StoreAddress address, long number, String name) {
    try {
      Connection connection =
          DriverManager.getConnection(address.jdbcUrl(), address.connectionProperties(name));
      if (Pause.until(() -> locked(connection, number), PATIENCE)) {
        return Optional.of(new StoreLock(connection, number));
      }
      connection.close();
      return Optional.empty();
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /** Whether it was held until now: where the connection is gone, it is too. */
  boolean isHeld() {
    try {
      return connection.isValid(Math.toIntExact(PATIENCE.toSeconds()));
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /** Whoever asks after this finds it free: the end of a connection takes a moment. */
  @Override
  public void close() {
    try (connection;
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_unlock(%d)".formatted(number));
    } catch (SQLException itIsGone) {
      // and the lock with it
    }
  }

  private static boolean locked(Connection connection, long number) {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT pg_try_advisory_lock(%d)".formatted(number))) {
      return row.next() && row.getBoolean(1);
    } catch (SQLException e) {
      throw away(e);
    }
  }

  private static TransientException away(SQLException cause) {
    return new TransientException("the store did not answer: " + cause.getMessage(), cause);
  }
}
