package dev.slipway.dashboard;

import dev.slipway.database.DatabaseFacts;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One database, on its own page and on that of a project.
 *
 * @param page the path of the page that it is on
 * @param users that it is the database of
 * @param asked whether its server was asked; it takes its time
 * @param facts what that said
 * @param connection where it was asked for
 */
public record DatabasePanel(
    DatabaseLine database,
    String page,
    List<ProjectLink> users,
    boolean asked,
    Optional<DatabaseFacts> facts,
    Optional<DatabaseConnection> connection,
    BackupList backups) {
  public DatabasePanel {
    users = List.copyOf(users);
  }

  /** What a program finds in its environment. */
  public List<String> variables() {
    return switch (database.type()) {
      case "postgres" ->
          List.of("DATABASE_URL", "PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGDATABASE");
      case "mysql" ->
          List.of(
              "DATABASE_URL",
              "MYSQL_HOST",
              "MYSQL_PORT",
              "MYSQL_USER",
              "MYSQL_PASSWORD",
              "MYSQL_DATABASE");
      default -> List.of("DATABASE_URL");
    };
  }

  /** Who uses it, for a sentence. */
  static String named(List<ProjectLink> users) {
    return users.stream().map(ProjectLink::name).collect(Collectors.joining(", "));
  }

  /** A sentence about who uses it. */
  public String use() {
    return users.isEmpty() ? "No project uses it." : "It is used by %s.".formatted(named(users));
  }
}
