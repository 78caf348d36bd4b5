package dev.slipway.dashboard;

import dev.slipway.core.DeploymentId;
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
    return of(visit, project, live(visit, project));
  }

  /**
   * @param live what serves it
   */
  ProjectHead of(Visit visit, ProjectFacts project, Optional<DeploymentHistory.Entry> live) {
    List<DeploymentHistory.Entry> serving = live.stream().toList();
    return new ProjectHead(
        project.id(),
        project.name(),
        state(visit, project),
        project.url(),
        project.host(),
        project.repo(),
        project.branch(),
        lines
            .of(visit, serving, project.liveDeploymentId().stream().collect(Collectors.toSet()))
            .stream()
            .findFirst(),
        ProjectHead.DeployForm.of(visit.form()));
  }

  /** What serves a project. */
  Optional<DeploymentHistory.Entry> live(Visit visit, ProjectFacts project) {
    return project
        .liveDeploymentId()
        .map(DeploymentId::new)
        .flatMap(
            it -> Optional.ofNullable(history.of(visit.who().account().id(), List.of(it)).get(it)));
  }

  /** What it is doing now. */
  Badge state(Visit visit, ProjectFacts project) {
    ProjectId id = new ProjectId(project.id());
    return ProjectState.of(
        project,
        Optional.ofNullable(history.latest(visit.who().account().id(), List.of(id)).get(id))
            .map(DeploymentHistory.Entry::deployment));
  }
}
