package dev.slipway.dashboard;

import dev.slipway.api.LocalApi;
import dev.slipway.api.LocalRequest;
import dev.slipway.core.ProjectId;
import dev.slipway.deployment.DeploymentHistory;
import dev.slipway.metric.ProjectMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All projects of the account. */
final class ProjectsPages implements Pages {
  private static final int CARDS = 24; // full rows, whether of one, two or three
  private static final int HOURS = 24;

  private final DeploymentHistory history;
  private final DeploymentLines lines;
  private final ProjectMetrics metrics;

  ProjectsPages(DeploymentHistory history, DeploymentLines lines, ProjectMetrics metrics) {
    this.history = history;
    this.lines = lines;
    this.metrics = metrics;
  }

  @Override
  public void mount(Site site) {
    site.get("/projects", this::list);
    site.get("/projects/list", visit -> new Reply.Fragment("projects/cards.jte", page(visit)));
  }

  private Reply list(Visit visit) {
    return Reply.page("projects/list.jte", "Projects", Section.PROJECTS, page(visit));
  }

  private ProjectsPage page(Visit visit) {
    Optional<String> cursor = visit.query("cursor");
    LocalRequest request = LocalRequest.of("listProjects").query("limit", Integer.toString(CARDS));
    LocalApi.Listed<ProjectFacts> found =
        visit.list(
            cursor.map(it -> request.query("cursor", it)).orElse(request), ProjectFacts.class);
    return new ProjectsPage(cards(visit, found.records()), cursor, found.nextCursor());
  }

  private List<ProjectCard> cards(Visit visit, List<ProjectFacts> projects) {
    List<ProjectId> ids = projects.stream().map(it -> new ProjectId(it.id())).toList();
    Map<ProjectId, DeploymentHistory.Entry> latest =
        history.latest(visit.who().account().id(), ids);
    Map<ProjectId, List<Long>> requests = metrics.requestsByHour(ids, HOURS);
    Map<String, DeploymentLine> last = new HashMap<>();
    lines
        .of(
            visit,
            latest.values(),
            projects.stream()
                .flatMap(it -> it.liveDeploymentId().stream())
                .collect(Collectors.toSet()))
        .forEach(line -> last.put(line.projectId(), line));
    return projects.stream()
        .map(project -> {
          ProjectId id = new ProjectId(project.id());
          return ProjectCard.of(
              project,
              ProjectState.of(
                  project,
                  Optional.ofNullable(latest.get(id)).map(DeploymentHistory.Entry::deployment)),
              requests.getOrDefault(id, List.of()),
              Optional.ofNullable(last.get(project.id())));
        })
        .toList();
  }
}
