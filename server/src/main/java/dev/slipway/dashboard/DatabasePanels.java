package dev.slipway.dashboard;

import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.ProjectId;
import dev.slipway.database.DatabaseFacts;
import dev.slipway.dbproject.DatabaseProject;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.project.ProjectService;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes what pages show of databases. */
final class DatabasePanels {
  private static final int BACKUPS = 10;

  private final DatabaseService databases;
  private final ProjectService projects;

  DatabasePanels(DatabaseService databases, ProjectService projects) {
    this.databases = databases;
    this.projects = projects;
  }

  /**
   * All of a database.
   *
   * @param page the path of the page that it is on
   * @param connection where it is to be shown
   */
  DatabasePanel of(Visit visit, String id, String page, Optional<DatabaseConnection> connection) {
    DatabaseProject database = database(visit, id);
    DatabaseLine line = line(database);
    List<ProjectLink> users = users(visit, line);
    boolean asked = visit.query("facts").isPresent() && line.isThere();
    Optional<DatabaseFacts> facts = asked ? databases.facts(database) : Optional.empty();
    return new DatabasePanel(
        line, page, users, asked, facts, connection, backups(visit, line, users));
  }

  /** The same, once its server was asked, without its backups. */
  DatabasePanel asked(Visit visit, String id) {
    DatabaseProject database = database(visit, id);
    DatabaseLine line = line(database);
    List<ProjectLink> users = users(visit, line);
    return new DatabasePanel(
        line,
        line.path(),
        users,
        true,
        line.isThere() ? databases.facts(database) : Optional.empty(),
        Optional.empty(),
        new BackupList(line, "", List.of(), true, Optional.empty()));
  }

  BackupList backups(Visit visit, String id) {
    DatabaseLine line = line(database(visit, id));
    return backups(visit, line, users(visit, line));
  }

  /** What these projects are called, by their ids. */
  Map<ProjectId, String> names(Visit visit, Collection<String> ids) {
    return projects.names(account(visit), ids.stream().map(ProjectId::new).distinct().toList());
  }

  static List<ProjectLink> links(DatabaseLine database, Map<ProjectId, String> names) {
    return database.projects().stream()
        .flatMap(id ->
            Optional.ofNullable(names.get(new ProjectId(id)))
                .map(name -> new ProjectLink(ProjectHead.path(id), name))
                .stream())
        .toList();
  }

  private BackupList backups(Visit visit, DatabaseLine database, List<ProjectLink> users) {
    Optional<String> cursor = visit.query("cursor");
    LocalRequest asked =
        LocalRequest.of("listBackups")
            .path("database_id", database.id())
            .query("limit", String.valueOf(BACKUPS));
    LocalApi.Listed<BackupLine> listed =
        visit.list(cursor.map(it -> asked.query("cursor", it)).orElse(asked), BackupLine.class);
    return new BackupList(
        database,
        DatabasePanel.named(users),
        listed.records(),
        cursor.isEmpty(),
        listed.nextCursor().map(it -> "%s?cursor=%s#backups".formatted(database.path(), it)));
  }

  private List<ProjectLink> users(Visit visit, DatabaseLine database) {
    return links(database, names(visit, database.projects()));
  }

  private DatabaseProject database(Visit visit, String id) {
    return databases.get(account(visit), new DatabaseId(id));
  }

  private DatabaseLine line(DatabaseProject database) {
    return DatabaseLine.of(
        database, projects.using(List.of(database.id())).getOrDefault(database.id(), List.of()));
  }

  private static AccountId account(Visit visit) {
    return visit.who().account().id();
  }
}
