package dev.slipway.database;

import java.util.Map;

/**
 * Where a database is.
 *
 * @param host a name or an IP address, without brackets
 * @param parameters of its URL, such as {@code sslmode}; only those that a provider allows
 */
public record DatabasePlace(
    DatabaseType type, String host, int port, String name, Map<String, String> parameters) {
  public DatabasePlace {
    parameters = Map.copyOf(parameters);
  }

  /** Host and port as URLs write them: {@code db.example.org:5432}, {@code [::1]:5432}. */
  public String authority() {
    return "%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port);
  }
}
