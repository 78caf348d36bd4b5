package dev.slipway.db;

import dev.slipway.core.TransientException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.Properties;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connects to where the store is at that moment: an embedded one may have another port each time.
 */
final class FollowingDataSource implements DataSource {
  private final Supplier<StoreAddress> store;
  private final BiFunction<StoreAddress, String, Properties> properties;

  /**
   * @param properties of a connection, for the name under which it is known
   */
  FollowingDataSource(
      Supplier<StoreAddress> store, BiFunction<StoreAddress, String, Properties> properties) {
    this.store = store;
    this.properties = properties;
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      StoreAddress address = store.get();
      return DriverManager.getConnection(address.jdbcUrl(), properties.apply(address, "slipway"));
    } catch (TransientException e) {
      throw new SQLTransientConnectionException(e.getMessage(), e);
    }
  }

  // The rest of the interface is not for us to answer: the pool asks for connections alone.

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the store's own login is the only one");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
