package dev.slipway.dbproject;

import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.Failure;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A backup of a database.
 *
 * @param sizeBytes this and {@code completedAt} once its status is {@code COMPLETE}
 * @param expiresAt when it is deleted, unless it is the last one of a database that is still there
 */
public record Backup(
    BackupId id,
    DatabaseId databaseId,
    Status status,
    Reason reason,
    OptionalLong sizeBytes,
    Optional<Failure> failure,
    Instant createdAt,
    Optional<Instant> completedAt,
    Instant expiresAt) {

  public enum Status {
    RUNNING,
    COMPLETE,
    FAILED;

    /** As the API writes it. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Why it was made. */
  public enum Reason {
    SCHEDULE,
    REQUEST,
    /** Right before the database was restored from another one. */
    RESTORE,
    /** Right before the database was dropped. */
    DROP;

    /** As the API writes it. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
