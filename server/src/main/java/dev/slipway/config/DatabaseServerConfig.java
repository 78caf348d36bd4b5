package dev.slipway.config;

import dev.slipway.core.Secret;
import java.util.Optional;

/**
 * A server on which we may make databases and roles.
 *
 * @param url a JDBC URL
 */
public record DatabaseServerConfig(String url, String user, Secret password) {
  static Optional<DatabaseServerConfig> read(Section section, String... schemes) {
    Optional<String> url = section.required("url", Kinds.jdbcUrl(schemes));
    Optional<String> user = section.required("user", Kinds.TEXT);
    Optional<Secret> password = section.required("password", Kinds.SECRET);
    section.end();
    return url.flatMap(
        where -> user.flatMap(who -> password.map(it -> new DatabaseServerConfig(where, who, it))));
  }

  /** The URL may carry a password among its parameters. */
  @Override
  public String toString() {
    return "DatabaseServerConfig[user=%s]".formatted(user);
  }
}
