package dev.slipway.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.ProjectId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which database a project works with. */
final class ProjectDatabasePages implements Pages {
  /** The newest are enough to choose from; so many are a page of the API at most. */
  private static final String CHOICES = "100";

  private final ProjectHeads heads;
  private final DatabasePanels panels;

  ProjectDatabasePages(ProjectHeads heads, DatabasePanels panels) {
    this.heads = heads;
    this.panels = panels;
  }

  @Override
  public void mount(Site site) {
    String path = "/projects/:project_id/database";
    site.get(path, this::show);
    site.get(path + "/state", this::state);
    site.post(path, Need.CHANGE, this::choose, this::show);
  }

  /** What the API tells of the project. */
  private record Read(Optional<Reference> database) {
    record Reference(String projectId) {}

    static Optional<String> of(Visit visit) {
      return visit
          .ask(LocalRequest.of("getProject").path("project_id", project(visit)), Read.class)
          .database()
          .map(Reference::projectId);
    }
  }

  private Reply show(Visit visit) {
    ProjectHead head = heads.of(visit, project(visit));
    Optional<String> id = Read.of(visit);
    Optional<DatabasePanel> panel = id.map(it -> panel(visit, it));
    return Reply.page(
        "projects/database.jte",
        "Database, " + head.name(),
        Section.PROJECTS,
        new ProjectDatabasePage(
            head,
            panel,
            choices(visit, panel),
            visit.problem().isPresent() ? visit.form().text("database_id") : id.orElse("")));
  }

  /** The page is loaded anew once there is something else to do. */
  private Reply state(Visit visit) {
    return Read.of(visit)
        .map(id -> panel(visit, id))
        .filter(panel -> panel.database().isBusy())
        .<Reply>map(panel -> new Reply.Fragment("databases/state.jte", panel))
        .orElseGet(() -> new Reply.Elsewhere(path(visit)));
  }

  private Reply choose(Visit visit) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    visit
        .form()
        .filled("database_id")
        .ifPresentOrElse(id -> change.put("database_id", id), () -> change.putNull("database_id"));
    visit.tell(LocalRequest.of("updateProject").path("project_id", project(visit)).body(change));
    return Reply.done(path(visit), Notice.DATABASE_CHOSEN);
  }

  private DatabasePanel panel(Visit visit, String id) {
    return panels.of(visit, id, path(visit), Optional.empty());
  }

  /** Its own, whatever has become of that, then those that are there. */
  private List<Option> choices(Visit visit, Optional<DatabasePanel> own) {
    List<DatabaseLine> all = new ArrayList<>();
    own.ifPresent(it -> all.add(it.database()));
    visit
        .list(LocalRequest.of("listDatabases").query("limit", CHOICES), DatabaseLine.class)
        .records()
        .stream()
        .filter(it -> !it.isDropped() && !it.status().equals("dropping"))
        .filter(it -> own.stream().noneMatch(mine -> mine.database().id().equals(it.id())))
        .forEach(all::add);
    Map<ProjectId, String> names =
        panels.names(visit, all.stream().flatMap(it -> it.projects().stream()).toList());
    List<Option> options = new ArrayList<>();
    for (DatabaseLine database : all) {
      String users = DatabasePanel.named(DatabasePanels.links(database, names));
      options.add(
          new Option(
              database.id(),
              "%s %s%s"
                  .formatted(
                      database.kind(),
                      Shown.id(database.id()),
                      users.isEmpty() ? "" : ", used by " + users)));
    }
    options.add(new Option("", "None"));
    return options;
  }

  private static String path(Visit visit) {
    return ProjectDatabasePage.path(project(visit));
  }

  private static String project(Visit visit) {
    return visit.path("project_id");
  }
}
