package dev.slipway.dashboard;

import java.util.List;
import java.util.Optional;

/**
 * The backups of a database, newest first.
 *
 * @param users what the projects that use it are called
 * @param first whether these are the newest
 * @param older where the earlier ones are
 */
public record BackupList(
    DatabaseLine database,
    String users,
    List<BackupLine> backups,
    boolean first,
    Optional<String> older) {
  public BackupList {
    backups = List.copyOf(backups);
  }

  /** Whether one is being made, so that the list will change by itself. */
  public boolean isRunning() {
    return backups.stream().anyMatch(BackupLine::isRunning);
  }

  public boolean mayBackUp() {
    return database.isReady() && !isRunning();
  }

  public boolean mayRestore() {
    return (database.isReady() || database.isDropped()) && !isRunning();
  }
}
