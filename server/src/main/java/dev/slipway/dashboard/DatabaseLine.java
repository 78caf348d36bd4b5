package dev.slipway.dashboard;

import dev.slipway.core.ProjectId;
import dev.slipway.dbproject.DatabaseProject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A database as the API tells of it.
 *
 * @param error why what was asked for last was not done
 * @param projects the ids of those that it is the database of
 */
public record DatabaseLine(
    String id,
    String type,
    String origin,
    String status,
    Optional<Trouble> error,
    List<String> projects,
    Instant createdAt,
    Optional<Instant> droppedAt) {

  public DatabaseLine {
    projects = List.copyOf(projects);
  }

  /**
   * Why something was not done.
   *
   * @param code of the failure
   * @param message a sentence
   */
  public record Trouble(String code, String message) {}

  /** Without a question to its server, which reading it by the API asks. */
  static DatabaseLine of(DatabaseProject database, List<ProjectId> projects) {
    return new DatabaseLine(
        database.id().value(),
        database.type().wireName(),
        database.origin().wireName(),
        database.status().wireName(),
        database.failure().map(it -> new Trouble(it.code().wireName(), it.message())),
        projects.stream().map(ProjectId::value).toList(),
        database.createdAt(),
        database.droppedAt());
  }

  public String path() {
    return "%s/databases/%s".formatted(Site.BASE, id);
  }

  public String kind() {
    return switch (type) {
      case "postgres" -> "PostgreSQL";
      case "mysql" -> "MySQL";
      default -> type;
    };
  }

  /** What tells it apart at its end. */
  public String tail() {
    return tail(id);
  }

  static String tail(String id) {
    return id.substring(Math.max(0, id.length() - 4));
  }

  public boolean isMadeHere() {
    return origin.equals("created");
  }

  public boolean isReady() {
    return status.equals("ready");
  }

  public boolean isDropped() {
    return status.equals("dropped");
  }

  /** Whether it will be in another state by itself. */
  public boolean isBusy() {
    return switch (status) {
      case "preparing", "rotating", "restoring", "dropping" -> true;
      default -> false;
    };
  }

  /** Whether its server can be asked about it. */
  public boolean isThere() {
    return isReady() || status.equals("rotating");
  }

  public boolean mayBeDropped() {
    return isReady() || status.equals("preparing") || status.equals("failed");
  }
}
