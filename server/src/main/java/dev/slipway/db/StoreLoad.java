package dev.slipway.db;

import dev.slipway.core.TransientException;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;

/**
 * Fills an empty store with what a {@link StoreDump} read, in one transaction: all of it is there
 * after {@link #commit}, or nothing. Not thread-safe.
 */
public final class StoreLoad implements AutoCloseable {
  private static final String ANY_TABLE =
      """
      SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace
                                            AND relkind IN ('r', 'p'))
      """;

  private static final String HAS_OUR_TABLES =
      "SELECT to_regclass('%s') IS NOT NULL AND to_regclass('account') IS NOT NULL"
          .formatted(SchemaMigrations.HISTORY);

  private static final String ANY_ACCOUNT = "SELECT EXISTS (SELECT FROM account)";

  private static final String SET_SEQUENCE = "SELECT setval(format('%I', ?::text)::regclass, ?)";

  private final Connection connection;

  private StoreLoad(Connection connection) {
    this.connection = connection;
  }

  /**
   * Makes the tables, empty. The store must be {@link #isEmpty}, and no server may use it.
   *
   * @param schema the version of that which the rows were in
   * @param tables all that were read
   * @throws IllegalStateException with a sentence for the operator where the rows are of another
   *     schema than this program's
   */
  public static StoreLoad begin(
      StoreAddress address, int schema, Collection<StoreDump.Table> tables) {
    requireSchema(schema);
    new SchemaMigrations().apply(address.unlimited());
    try {
      Connection connection = connect(address);
      connection.setAutoCommit(false);
      if (!columns(StoreTables.of(connection)).equals(columns(tables))) {
        connection.close();
        throw anotherSchema("other tables than this one");
      }
      return new StoreLoad(connection);
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /**
   * @throws IllegalStateException with a sentence for the operator where it is not this program's
   */
  public static void requireSchema(int schema) {
    int ours = new SchemaMigrations().newest();
    if (schema != ours) {
      throw anotherSchema("schema %d, and this one has %d".formatted(schema, ours));
    }
  }

  /** Whether nothing is in it; the tables of a load that was cut off are nothing. */
  public static boolean isEmpty(StoreAddress address) {
    try (Connection connection = connect(address);
        Statement statement = connection.createStatement()) {
      return !tells(statement, ANY_TABLE)
          || (tells(statement, HAS_OUR_TABLES) && !tells(statement, ANY_ACCOUNT));
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /** Reads the rows of a table, in place of those that the schema itself comes with. */
  public void copy(StoreDump.Table table, InputStream from) throws IOException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "DELETE FROM %s".formatted(statement.enquoteIdentifier(table.name(), true)));
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY %s FROM STDIN".formatted(CopyTarget.of(connection, table)), from);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the rows of %s cannot be taken in: %s".formatted(table.name(), e.getMessage()), e);
    }
  }

  public void sequence(String name, long last) {
    try (PreparedStatement statement = connection.prepareStatement(SET_SEQUENCE)) {
      statement.setString(1, name);
      statement.setLong(2, last);
      statement.execute();
    } catch (SQLException e) {
      throw away(e);
    }
  }

  /** Changes what was read, in the same transaction. */
  public <T> T change(Function<Handle, T> work) {
    return Mapping.over(connection).withHandle(work::apply);
  }

  public void commit() {
    try {
      connection.commit();
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

  private static Connection connect(StoreAddress address) throws SQLException {
    return DriverManager.getConnection(
        address.jdbcUrl(), address.connectionProperties("slipway restore"));
  }

  private static boolean tells(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      return row.next() && row.getBoolean(1);
    }
  }

  private static Map<String, Set<String>> columns(Collection<StoreDump.Table> tables) {
    return tables.stream()
        .collect(Collectors.toMap(StoreDump.Table::name, table -> Set.copyOf(table.columns())));
  }

  private static IllegalStateException anotherSchema(String difference) {
    return new IllegalStateException(
        "the archive was written by another version of Slipway, which has %s: restore it with that version, then upgrade"
            .formatted(difference));
  }

  private static TransientException away(SQLException cause) {
    return new TransientException("the store could not be filled: " + cause.getMessage(), cause);
  }
}
