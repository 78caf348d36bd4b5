package dev.slipway.api;

import dev.slipway.core.ProjectId;
import dev.slipway.metric.ProjectMetrics;
import dev.slipway.metric.ProjectMetrics.InstanceUse;
import dev.slipway.metric.ProjectMetrics.Point;
import dev.slipway.metric.ProjectMetrics.Range;
import dev.slipway.project.ProjectService;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The resource {@code /projects/{project_id}/metrics}. */
public final class MetricsOperations implements Operations {
  /** As the contract lists them. */
  private static final List<Step> STEPS =
      List.of(
          new Step("1m", Duration.ofMinutes(1)),
          new Step("5m", Duration.ofMinutes(5)),
          new Step("15m", Duration.ofMinutes(15)),
          new Step("1h", Duration.ofHours(1)),
          new Step("6h", Duration.ofHours(6)),
          new Step("1d", Duration.ofDays(1)));

  private static final Duration RANGE = Duration.ofHours(1);
  private static final int POINTS = 120;
  private static final int MOST_POINTS = 1_500;

  private final ProjectService projects;
  private final ProjectMetrics metrics;
  private final Clock clock;

  MetricsOperations(ProjectService projects, ProjectMetrics metrics, Clock clock) {
    this.projects = projects;
    this.metrics = metrics;
    this.clock = clock;
  }

  private record Step(String name, Duration length) {}

  record View(Instant from, Instant to, long stepSeconds, List<PointView> points) {}

  record PointView(
      Instant at,
      long requests,
      Map<String, Long> byStatus,
      long aborted,
      long bytesIn,
      long bytesOut,
      long inFlight,
      Optional<Double> p50Ms,
      Optional<Double> p99Ms,
      Optional<Long> instances,
      Optional<Double> cpuSeconds,
      Optional<Long> memoryBytes) {
    static PointView of(Point point) {
      List<Long> classes = point.byClass();
      return new PointView(
          point.at(),
          point.requests(),
          Map.of(
              "1xx", classes.get(0),
              "2xx", classes.get(1),
              "3xx", classes.get(2),
              "4xx", classes.get(3),
              "5xx", classes.get(4)),
          point.aborted(),
          point.receivedBytes(),
          point.sentBytes(),
          point.mostInFlight(),
          point.p50Millis(),
          point.p99Millis(),
          point.use().map(InstanceUse::instances),
          point.use().map(InstanceUse::cpuSeconds),
          point.use().map(InstanceUse::memoryBytes));
    }
  }

  @Override
  public Map<String, Handler> handlers() {
    return Map.of("getProjectMetrics", this::get);
  }

  @Override
  public Map<String, Check> checks() {
    return Map.of("getProjectMetrics", this::check);
  }

  private Answer get(Call call) {
    var project = projects.get(call.account(), new ProjectId(call.path("project_id")));
    Range range = range(call);
    return Answer.ok(
        new View(
            range.from(),
            range.to(),
            range.step().toSeconds(),
            metrics.read(project.id(), range).stream().map(PointView::of).toList()));
  }

  private void check(Call call, Faults faults) {
    if (!isTime(call, "from") || !isTime(call, "to") || !isStep(call)) {
      return; // The contract has found that.
    }
    Instant to = to(call);
    Instant from = from(call, to);
    if (!from.isBefore(to)) {
      faults.add("from", "must be before to");
      return;
    }
    Duration step = step(call, from, to);
    boolean ofMinutes = step.compareTo(Duration.ofHours(1)) < 0;
    if (ofMinutes && from.isBefore(clock.instant().minus(ProjectMetrics.minutesKept()))) {
      faults.add("step", "must be 1h or more for what is longer ago than 24 hours");
    } else if (new Range(from, to, step).points() > MOST_POINTS) {
      faults.add("step", "makes more than %d points; take a longer one".formatted(MOST_POINTS));
    }
  }

  private Range range(Call call) {
    Instant to = to(call);
    Instant from = from(call, to);
    return new Range(from, to, step(call, from, to));
  }

  private Instant to(Call call) {
    return time(call, "to").orElseGet(clock::instant);
  }

  private static Instant from(Call call, Instant to) {
    return time(call, "from").orElseGet(() -> to.minus(RANGE));
  }

  /** Without one that is asked for, the shortest that there is and that makes no crowd. */
  private Duration step(Call call, Instant from, Instant to) {
    Instant minutesSince = clock.instant().minus(ProjectMetrics.minutesKept());
    return call.query("step")
        .flatMap(asked -> STEPS.stream().filter(it -> it.name().equals(asked)).findFirst())
        .or(() ->
            STEPS.stream()
                .filter(it ->
                    !from.isBefore(minutesSince) || it.length().compareTo(Duration.ofHours(1)) >= 0)
                .filter(it -> new Range(from, to, it.length()).points() <= POINTS)
                .findFirst())
        .orElse(STEPS.getLast())
        .length();
  }

  private static boolean isStep(Call call) {
    return call.query("step")
        .map(asked -> STEPS.stream().anyMatch(it -> it.name().equals(asked)))
        .orElse(true);
  }

  private static boolean isTime(Call call, String parameter) {
    return call.query(parameter).isEmpty() || time(call, parameter).isPresent();
  }

  private static Optional<Instant> time(Call call, String parameter) {
    try {
      return call.query(parameter).map(it -> OffsetDateTime.parse(it).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
