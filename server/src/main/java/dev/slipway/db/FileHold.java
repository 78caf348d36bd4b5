package dev.slipway.db;

import dev.slipway.core.TransientException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Keeps the files that rows name while a backup copies them. Held by a connection of its own, so it
 * goes with the process that has it.
 *
 * <p>The backup takes it first and looks at the rows then. Whoever deletes files commits first that
 * no row names them, and asks {@link #isHeld} then: where it is not held, a backup that begins
 * later finds no row that names them either. Where it is, they are deleted another time.
 */
public final class FileHold implements AutoCloseable {
  /** The number after that of {@link SoleServer}. */
  private static final String TRY_LOCK = "SELECT pg_try_advisory_lock(8314327851)";

  private static final String UNLOCK = "SELECT pg_advisory_unlock(8314327851)";

  private static final String COULD_LOCK = "SELECT pg_try_advisory_xact_lock_shared(8314327851)";

  /** Whoever asks has it for a moment. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Connection connection;

  private FileHold(Connection connection) {
    this.connection = connection;
  }

  /**
   * @throws IllegalStateException with a sentence for the operator where another backup has it
   */
  public static FileHold acquire(StoreAddress address) {
    try {
      Connection connection =
          DriverManager.getConnection(
              address.jdbcUrl(), address.connectionProperties("slipway backup of files"));
      if (!Pause.until(() -> locked(connection), PATIENCE)) {
        connection.close();
        throw new IllegalStateException(
            "another backup of this server is being written: wait until that is done");
      }
      return new FileHold(connection);
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /** Not to be called in a transaction. */
  public static boolean isHeld(Database database) {
    return !database.readCommitted(
        handle -> handle.createQuery(COULD_LOCK).mapTo(Boolean.class).one());
  }

  /**
   * After the last file was copied.
   *
   * @throws IllegalStateException where the store went away meanwhile, and the hold with it
   */
  public void requireStillHeld() {
    try {
      if (connection.isValid(Math.toIntExact(PATIENCE.toSeconds()))) {
        return;
      }
    } catch (SQLException e) {
      throw away(e);
    }
    throw new IllegalStateException(
        "the store went away while files were copied, and some may be missing: try again");
  }

  /** Whoever asks after this finds it free: the end of a connection takes a moment. */
  @Override
  public void close() {
    try (connection;
        Statement statement = connection.createStatement()) {
      statement.execute(UNLOCK);
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
