package dev.slipway.config;

import java.time.Duration;
import java.util.Optional;

/** Servers on which applications get databases; absent: embedded PostgreSQL, and no MySQL. */
public record DatabasesConfig(
    Optional<DatabaseServerConfig> postgres,
    Optional<DatabaseServerConfig> mysql,
    Backups backups) {
  public static final DatabasesConfig DEFAULTS =
      new DatabasesConfig(Optional.empty(), Optional.empty(), Backups.DEFAULTS);

  /**
   * @param every how often each database that was made here is backed up
   * @param keep how long a backup stays
   */
  public record Backups(Duration every, Duration keep) {
    public static final Backups DEFAULTS = new Backups(Duration.ofHours(24), Duration.ofDays(7));

    static Backups read(Section section) {
      Backups backups =
          new Backups(
              section.value("every", DEFAULTS.every, Kinds.DURATION),
              section.value("keep", DEFAULTS.keep, Kinds.DURATION));
      section.end();
      return backups;
    }
  }

  static DatabasesConfig read(Section section) {
    DatabasesConfig config =
        new DatabasesConfig(
            section
                .optionalSection("postgres")
                .flatMap(it -> DatabaseServerConfig.read(it, "jdbc:postgresql://")),
            section
                .optionalSection("mysql")
                .flatMap(it -> DatabaseServerConfig.read(it, "jdbc:mysql://", "jdbc:mariadb://")),
            Backups.read(section.section("backups")));
    section.end();
    return config;
  }
}
