package dev.slipway.config;

import java.util.Optional;

/** Servers on which applications get databases; absent: embedded PostgreSQL, and no MySQL. */
public record DatabasesConfig(
    Optional<DatabaseServerConfig> postgres, Optional<DatabaseServerConfig> mysql) {
  public static final DatabasesConfig DEFAULTS =
      new DatabasesConfig(Optional.empty(), Optional.empty());

  static DatabasesConfig read(Section section) {
    DatabasesConfig config =
        new DatabasesConfig(
            section
                .optionalSection("postgres")
                .flatMap(it -> DatabaseServerConfig.read(it, "jdbc:postgresql://")),
            section
                .optionalSection("mysql")
                .flatMap(it -> DatabaseServerConfig.read(it, "jdbc:mysql://", "jdbc:mariadb://")));
    section.end();
    return config;
  }
}
