package dev.slipway.db;

import dev.slipway.core.Secret;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.postgresql.Driver;

/**
 * Where a PostgreSQL database is and how to log in.
 *
 * @param jdbcUrl {@code jdbc:postgresql://host:port/database}, parameters allowed
 */
public record StoreAddress(String jdbcUrl, String user, Secret password) {
  /** The hosts and ports that the URL names, not looked up. */
  public List<InetSocketAddress> hosts() {
    Properties parts =
        Optional.ofNullable(Driver.parseURL(jdbcUrl, new Properties())).orElseThrow();
    List<String> hosts = List.of(parts.getProperty("PGHOST", "localhost").split(","));
    List<String> ports = List.of(parts.getProperty("PGPORT", "5432").split(","));
    return IntStream.range(0, hosts.size())
        .mapToObj(index ->
            InetSocketAddress.createUnresolved(
                hosts.get(index).replaceAll("[\\[\\]]", ""),
                Integer.parseInt(ports.get(Math.min(index, ports.size() - 1)))))
        .toList();
  }

  /**
   * {@link #connectionProperties}, and how long one statement may take: a host may vanish in the
   * middle of it.
   */
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
