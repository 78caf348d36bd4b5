package dev.slipway.dashboard;

import java.time.Instant;
import java.util.Optional;

/** A backup as the API tells of it. */
public record BackupLine(
    String id,
    String status,
    String reason,
    Optional<Long> sizeBytes,
    Optional<DatabaseLine.Trouble> error,
    Instant createdAt,
    Instant expiresAt) {
  public boolean isComplete() {
    return status.equals("complete");
  }

  public boolean isRunning() {
    return status.equals("running");
  }

  /** Why it was made. */
  public String why() {
    return switch (reason) {
      case "schedule" -> "By schedule";
      case "request" -> "Asked for";
      case "restore" -> "Before a restore";
      case "drop" -> "Before it was dropped";
      default -> reason;
    };
  }
}
