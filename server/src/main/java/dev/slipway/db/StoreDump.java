package dev.slipway.db;

import dev.slipway.core.TransientException;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;

/**
 * Reads all rows of a store as one moment saw them, while a server may be writing. Not thread-safe.
 *
 * <p>By the store's own {@code COPY}, so that no program is needed that fits its version. Tables
 * and indexes are not written down: {@link SchemaMigrations} makes them, wherever the rows go.
 */
public final class StoreDump implements AutoCloseable {
  private static final String SEQUENCES =
      """
      SELECT sequencename AS name, last_value FROM pg_sequences
       WHERE schemaname = current_schema() AND last_value IS NOT NULL
      """;

  private final Connection connection;

  private StoreDump(Connection connection) {
    this.connection = connection;
  }

  /** A table's rows are those of these columns. */
  public record Table(String name, List<String> columns) {}

  /** The moment is now. */
  public static StoreDump begin(StoreAddress address) {
    try {
      Connection connection =
          DriverManager.getConnection(
              address.jdbcUrl(), address.connectionProperties("slipway backup"));
      connection.setAutoCommit(false);
      connection.setReadOnly(true);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      return new StoreDump(connection);
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /** The version of the schema that the rows are of. */
  public int schema() {
    try {
      return SchemaMigrations.version(connection);
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /** All that are kept, each after those that it refers to. */
  public List<Table> tables() {
    try {
      return StoreTables.of(connection);
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /** Asks for more, as of the same moment. */
  public <T> T read(Function<Handle, T> work) {
    return Mapping.over(connection).withHandle(work::apply);
  }

  /** Writes the rows of a table, as {@link StoreLoad} reads them. */
  public void copy(Table table, OutputStream to) throws IOException {
    try {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyOut("COPY %s TO STDOUT".formatted(CopyTarget.of(connection, table)), to);
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /** How far each sequence has come. */
  public Map<String, Long> sequences() {
    Map<String, Long> found = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SEQUENCES)) {
      while (rows.next()) {
        found.put(rows.getString("name"), rows.getLong("last_value"));
      }
      return found;
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

  private static TransientException away(SQLException cause) {
    return new TransientException("the store could not be read: " + cause.getMessage(), cause);
  }
}
