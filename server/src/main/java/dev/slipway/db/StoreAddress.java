package dev.slipway.db;

import dev.slipway.core.Secret;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * Where a PostgreSQL database is and how to log in.
 *
 * @param jdbcUrl {@code jdbc:postgresql://host:port/database}, parameters allowed
 */
public record StoreAddress(String jdbcUrl, String user, Secret password) {
  /** The same, and how long one statement may take: a host may vanish in the middle of it. */
  Properties limitedProperties(String applicationName) {
    Properties properties = connectionProperties(applicationName);
    properties.setProperty("socketTimeout", "30");
    return properties;
  }

  /** Connections of their own each, whose statements may take as long as they like. */
  public DataSource unlimited() {
    return new FollowingDataSource(() -> this, StoreAddress::connectionProperties);
  }

  /** For pgjdbc: the login, and limits so that a host that does not answer is noticed. */
  Properties connectionProperties(String applicationName) {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password.reveal());
    properties.setProperty("ApplicationName", applicationName);
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("loginTimeout", "5");
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }
}
