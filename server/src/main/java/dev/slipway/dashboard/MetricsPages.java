package dev.slipway.dashboard;

import dev.slipway.core.ProjectId;
import dev.slipway.metric.ProjectMetrics;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A project's metrics as plots. */
final class MetricsPages implements Pages {
  private static final long MEBI = 1 << 20;

  private final ProjectHeads heads;
  private final ProjectMetrics metrics;
  private final Clock clock;

  MetricsPages(ProjectHeads heads, ProjectMetrics metrics, Clock clock) {
    this.heads = heads;
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public void mount(Site site) {
    site.get("/projects/:id/metrics", this::show);
  }

  private Reply show(Visit visit) {
    ProjectFacts project = ProjectFacts.of(visit, visit.path("id"));
    MetricsRange range =
        visit.query("range").flatMap(MetricsRange::ofCode).orElse(MetricsRange.DAY);
    MetricsPlots plots =
        new MetricsPlots(
            range,
            metrics.read(new ProjectId(project.id()), range.until(clock.instant())),
            InstanceTypes.find(visit, project.instanceType())
                .map(it -> it.memoryMb() * MEBI * project.instances()));
    return Reply.page(
        "projects/metrics.jte",
        "Metrics, " + project.name(),
        Section.PROJECTS,
        new MetricsPage(
            heads.of(visit, project),
            Arrays.stream(MetricsRange.values())
                .map(it -> new MetricsPage.Range(it.code(), it == range))
                .toList(),
            range.stepWords(),
            plots.all(),
            columns(),
            plots.rows()));
  }

  private static List<String> columns() {
    List<String> columns = new ArrayList<>(List.of("Time"));
    Measurement.ALL.forEach(it -> columns.add(it.head()));
    return columns;
  }
}
