package dev.slipway.dashboard;

import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import dev.slipway.deployment.DeploymentStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The deployments of a project as its timeline, and those of all projects. */
final class DeploymentListPages implements Pages {
  private static final String LIMIT = "25";
  private static final String CURSOR = DeploymentsPage.CURSOR;
  private static final List<String> FILTERS = List.of("status", "project_id");

  private final ProjectHeads heads;
  private final DeploymentLines lines;

  DeploymentListPages(ProjectHeads heads, DeploymentLines lines) {
    this.heads = heads;
    this.lines = lines;
  }

  @Override
  public void mount(Site site) {
    site.get("/projects/:id/deployments", this::timeline);
    site.get("/deployments", this::all);
    site.get("/deployments/rows", visit -> new Reply.Fragment("deployments/rows.jte", page(visit)));
  }

  private Reply timeline(Visit visit) {
    ProjectFacts project = ProjectFacts.of(visit, visit.path("id"));
    Optional<String> cursor = visit.query(CURSOR);
    Map<String, String> asked = new HashMap<>(Map.of("project_id", project.id()));
    cursor.ifPresent(it -> asked.put(CURSOR, it));
    LocalApi.Listed<DeploymentLines.Named> found = list(visit, asked);
    return Reply.page(
        "projects/deployments.jte",
        "Deployments, " + project.name(),
        Section.PROJECTS,
        new TimelinePage(
            heads.of(visit, project),
            lines.of(visit, found.records()),
            cursor.isEmpty(),
            found.nextCursor()));
  }

  private Reply all(Visit visit) {
    return Reply.page("deployments/list.jte", "Deployments", Section.DEPLOYMENTS, page(visit));
  }

  private DeploymentsPage page(Visit visit) {
    Map<String, String> asked = new HashMap<>();
    FILTERS.forEach(name -> visit.query(name).ifPresent(it -> asked.put(name, it)));
    visit.query(CURSOR).ifPresent(it -> asked.put(CURSOR, it));
    LocalApi.Listed<DeploymentLines.Named> found = list(visit, asked);
    return new DeploymentsPage(
        lines.of(visit, found.records()), asked, states(), projects(visit), found.nextCursor());
  }

  private static LocalApi.Listed<DeploymentLines.Named> list(
      Visit visit, Map<String, String> asked) {
    LocalRequest request = LocalRequest.of("listDeployments").query("limit", LIMIT);
    for (Map.Entry<String, String> each : asked.entrySet()) {
      request = request.query(each.getKey(), each.getValue());
    }
    return visit.list(request, DeploymentLines.Named.class);
  }

  private static List<Option> states() {
    List<Option> options = new ArrayList<>(List.of(new Option("", "Any state")));
    Arrays.stream(DeploymentStatus.values())
        .map(DeploymentStatus::wireName)
        .forEach(it -> options.add(new Option(it, Badge.of(it).label())));
    return options;
  }

  private record Choice(String id, String name) {}

  /** The newest hundred, as many as one page of the API has. */
  private static List<Option> projects(Visit visit) {
    List<Option> options = new ArrayList<>(List.of(new Option("", "All projects")));
    visit
        .list(LocalRequest.of("listProjects").query("limit", "100"), Choice.class)
        .records()
        .forEach(it -> options.add(new Option(it.id(), it.name())));
    return options;
  }
}
