package dev.slipway.migration;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The states of a migration. Source: API description, "States and transitions". */
public enum MigrationStatus {
  /** The account already runs as many migrations as its tier allows. */
  PENDING,
  /** Its first deployment is under way. */
  PROCESSING,
  /** Its first deployment went live. */
  COMPLETE,
  /** Its first deployment failed; the project stays. */
  FAILED;

  /** The whole state machine: a move that is not listed here is refused. */
  public Set<MigrationStatus> next() {
    return switch (this) {
      case PENDING -> Set.of(PROCESSING, FAILED);
      case PROCESSING -> Set.of(COMPLETE, FAILED);
      case COMPLETE, FAILED -> Set.of();
    };
  }

  /** As the API writes it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<MigrationStatus> ofWireName(String wireName) {
    for (MigrationStatus status : values()) {
      if (status.wireName().equals(wireName)) {
        return Optional.of(status);
      }
    }
    return Optional.empty();
  }
}
