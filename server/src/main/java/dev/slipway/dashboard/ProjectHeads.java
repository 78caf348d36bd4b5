package dev.slipway.dashboard;

import dev.slipway.core.ProjectId;
import dev.slipway.deployment.DeploymentHistory;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes the heads of projects' pages. */
final class ProjectHeads {
  private final DeploymentHistory history;
  private final DeploymentLines lines;

  ProjectHeads(DeploymentHistory history, DeploymentLines lines) {
    this.history = history;
    this.lines = lines;
  }

  /**
   * @param id of the project
   */
  ProjectHead of(Visit visit, String id) {
    return of(visit, ProjectFacts.of(visit, id));
  }

  /** Of a project that was asked for already. */
  ProjectHead of(Visit visit, ProjectFacts project) {
    Optional<DeploymentHistory.Entry> latest = latest(visit, project);
    return new ProjectHead(
        project.id(),
        project.name(),
        ProjectState.of(project, latest.map(DeploymentHistory.Entry::deployment)),
        project.url(),
        project.host(),
        project.repo(),
        project.branch(),
        project.liveDeploymentId().isPresent(),
        lines
            .of(
                visit,
                latest.map(List::of).orElse(List.of()),
                project.liveDeploymentId().stream().collect(Collectors.toSet()))
            .stream()
            .findFirst(),
        ProjectHead.DeployForm.of(visit.form()));
  }

  /** What it is doing now. */
  Badge state(Visit visit, String id) {
    ProjectFacts project = ProjectFacts.of(visit, id);
    return ProjectState.of(
        project, latest(visit, project).map(DeploymentHistory.Entry::deployment));
  }

  private Optional<DeploymentHistory.Entry> latest(Visit visit, ProjectFacts project) {
    ProjectId id = new ProjectId(project.id());
    return Optional.ofNullable(history.latest(visit.who().account().id(), List.of(id)).get(id));
  }
}
