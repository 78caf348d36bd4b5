package dev.slipway.config;

import dev.slipway.core.Secret;
import java.util.Optional;

/**
 * A PostgreSQL of the operator's in place of the embedded one.
 *
 * @param url {@code jdbc:postgresql://host:port/database}
 */
public record StoreConfig(String url, String user, Secret password) {
  static Optional<StoreConfig> read(Section section) {
    Optional<String> url = section.required("url", Kinds.jdbcUrl("jdbc:postgresql://"));
    Optional<String> user = section.required("user", Kinds.TEXT);
    Optional<Secret> password = section.required("password", Kinds.SECRET);
    section.end();
    return url.flatMap(
        where -> user.flatMap(who -> password.map(with -> new StoreConfig(where, who, with))));
  }

  /** The URL may carry a password among its parameters. */
  @Override
  public String toString() {
    return "StoreConfig[user=%s]".formatted(user);
  }
}
