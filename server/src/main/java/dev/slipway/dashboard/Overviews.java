package dev.slipway.dashboard;

import dev.slipway.api.LocalRequest;
import dev.slipway.core.ProjectId;
import dev.slipway.deployment.DeploymentHistory;
import dev.slipway.deployment.DeploymentService;
import dev.slipway.metric.ProjectMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Gathers what is shown of a project as a whole. */
final class Overviews {
  private static final int RECENT = 5;
  private static final int HOURS = 24;
  private static final int SECONDS_PER_MINUTE = 60;

  private final ProjectHeads heads;
  private final DeploymentLines lines;
  private final ProjectMetrics metrics;
  private final DeploymentService deployments;

  Overviews(
      ProjectHeads heads,
      DeploymentLines lines,
      ProjectMetrics metrics,
      DeploymentService deployments) {
    this.heads = heads;
    this.lines = lines;
    this.metrics = metrics;
    this.deployments = deployments;
  }

  OverviewPage of(Visit visit, String id) {
    ProjectFacts project = ProjectFacts.of(visit, id);
    Optional<DeploymentHistory.Entry> live = heads.live(visit, project);
    return new OverviewPage(
        heads.of(visit, project, live),
        project.repo().orElse("Archives"),
        Stream.concat(project.branch().stream(), project.framework().map(Shown::framework).stream())
            .collect(Collectors.joining(", ")),
        project.region(),
        InstanceTypes.describe(visit, project.instanceType()),
        project.crashing().map(it -> cause(it.error())),
        project
            .restart()
            .filter(it -> it.isRunning() || it.error().isPresent())
            .map(it -> new OverviewPage.Restart(it.error().map(Overviews::cause))),
        production(project, live),
        DayOfProject.plots(metrics.lastHours(new ProjectId(id), HOURS)),
        recent(visit, id));
  }

  /** What runs of a project now. */
  Production production(Visit visit, String id) {
    ProjectFacts project = ProjectFacts.of(visit, id);
    return production(project, heads.live(visit, project));
  }

  private Production production(ProjectFacts project, Optional<DeploymentHistory.Entry> live) {
    return new Production(
        project.id(),
        live.isPresent(),
        live.filter(DeploymentHistory.Entry::site).isPresent(),
        project.sleepAfterSeconds().filter(_ -> project.asleep()).map(Overviews::span),
        live.map(it -> deployments.running(it.deployment().id())).orElse(List.of()).stream()
            .map(InstanceLine::of)
            .toList());
  }

  private List<DeploymentLine> recent(Visit visit, String project) {
    LocalRequest request =
        LocalRequest.of("listDeployments")
            .query("project_id", project)
            .query("limit", Integer.toString(RECENT));
    return lines.of(visit, visit.list(request, DeploymentLines.Named.class).records());
  }

  private static OverviewPage.Cause cause(ProjectFacts.Failed failed) {
    return new OverviewPage.Cause(failed.code(), failed.message());
  }

  private static String span(long seconds) {
    Duration span = Duration.ofSeconds(seconds);
    return seconds % SECONDS_PER_MINUTE == 0 && span.toHours() == 0
        ? "%d minutes".formatted(span.toMinutes())
        : Shown.duration(span);
  }
}
