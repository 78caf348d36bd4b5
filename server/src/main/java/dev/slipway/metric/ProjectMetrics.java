package dev.slipway.metric;

import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a project's requests were, and what its instances took, over time. */
public final class ProjectMetrics {
  private static final double MEDIAN = 0.5;
  private static final double P99 = 0.99;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final Database database;
  private final TrafficStore traffic;
  private final UseStore uses;
  private final Clock clock;

  public ProjectMetrics(Database database, TrafficStore traffic, UseStore uses, Clock clock) {
    this.database = database;
    this.traffic = traffic;
    this.uses = uses;
    this.clock = clock;
  }

  /**
   * What is asked for. {@code from} lies at a multiple of {@code step}.
   *
   * @param step of a minute or an hour or more of one of them
   */
  public record Range(Instant from, Instant to, Duration step) {
    /** Grown to whole steps. */
    public Range {
      long seconds = step.toSeconds();
      from = Instant.ofEpochSecond(Math.floorDiv(from.getEpochSecond(), seconds) * seconds);
      to = Instant.ofEpochSecond(Math.ceilDiv(to.getEpochSecond(), seconds) * seconds);
    }

    /** How many points it has. */
    public long points() {
      return Duration.between(from, to).dividedBy(step);
    }

    /** Of the step that a stretch of time is in. */
    private Instant begin(Window.Place place) {
      return new Range(place.at(), place.at(), step).from();
    }

    private Window.Step source() {
      return step.compareTo(Window.Step.HOUR.length()) < 0 ? Window.Step.MINUTE : Window.Step.HOUR;
    }
  }

  /**
   * The requests that ended in one step.
   *
   * @param byClass by the first digit of the status: five of them
   * @param mostInFlight at one moment
   * @param p50Millis until the answer began; absent where there was no request
   * @param use of the instances; absent where none ran or nobody looked
   */
  public record Point(
      Instant at,
      long requests,
      List<Long> byClass,
      long aborted,
      long receivedBytes,
      long sentBytes,
      long mostInFlight,
      Optional<Double> p50Millis,
      Optional<Double> p99Millis,
      Optional<InstanceUse> use) {}

  /**
   * What the instances took in one step.
   *
   * @param instances the most that ran at one moment
   * @param memoryBytes the most of all of them together at one moment
   */
  public record InstanceUse(long instances, double cpuSeconds, long memoryBytes) {
    static InstanceUse of(UseWindow window) {
      return new InstanceUse(
          window.instances(), window.cpuNanos() / NANOS_PER_SECOND, window.memoryBytes());
    }
  }

  /** How far back steps of less than an hour reach: a day, and a little for who asks for a day. */
  public static Duration minutesKept() {
    return Window.Step.MINUTE.kept().plus(Duration.ofMinutes(30));
  }

  /** A point for each step, also for those in which nothing happened. */
  public List<Point> read(ProjectId project, Range range) {
    Map<Instant, Totals> totals = new HashMap<>();
    Map<Instant, Long> inFlight = new HashMap<>();
    for (Window window :
        database.read(
            handle -> traffic.read(handle, project, range.source(), range.from(), range.to()))) {
      Instant at = range.begin(window.place());
      totals.merge(at, window.totals(), Totals::plus);
      // Processes follow one another; two serve at once for the moments of a takeover alone.
      inFlight.merge(at, window.mostInFlight(), Math::max);
    }
    Map<Instant, UseWindow> used = new HashMap<>();
    database
        .read(handle -> uses.read(handle, project, range.source(), range.from(), range.to()))
        .forEach(window -> used.merge(range.begin(window.place()), window, UseWindow::plus));
    List<Point> points = new ArrayList<>();
    for (Instant at = range.from(); at.isBefore(range.to()); at = at.plus(range.step())) {
      points.add(
          point(
              at,
              totals.getOrDefault(at, Totals.NONE),
              inFlight.getOrDefault(at, 0L),
              Optional.ofNullable(used.get(at)).map(InstanceUse::of)));
    }
    return points;
  }

  /** A point for each of the last hours, the one under way being the last. */
  public List<Point> lastHours(ProjectId project, int hours) {
    Duration hour = Window.Step.HOUR.length();
    Instant last = Window.Step.HOUR.begin(clock.instant());
    return read(
        project, new Range(last.minus(hour.multipliedBy(hours - 1)), last.plus(hour), hour));
  }

  /**
   * How many requests each of these projects had in each of the last hours, the one under way being
   * the last: as many numbers for each.
   */
  public Map<ProjectId, List<Long>> requestsByHour(Collection<ProjectId> projects, int hours) {
    if (projects.isEmpty()) {
      return Map.of();
    }
    Instant last = Window.Step.HOUR.begin(clock.instant());
    Instant first = last.minus(Window.Step.HOUR.length().multipliedBy(hours - 1));
    Instant end = last.plus(Window.Step.HOUR.length());
    Map<ProjectId, Map<Instant, Long>> counted =
        database.read(handle -> traffic.requests(handle, projects, Window.Step.HOUR, first, end));
    Map<ProjectId, List<Long>> all = new HashMap<>();
    for (ProjectId project : projects) {
      Map<Instant, Long> its = counted.getOrDefault(project, Map.of());
      List<Long> numbers = new ArrayList<>();
      for (Instant at = first; at.isBefore(end); at = at.plus(Window.Step.HOUR.length())) {
        numbers.add(its.getOrDefault(at, 0L));
      }
      all.put(project, numbers);
    }
    return all;
  }

  private static Point point(
      Instant at, Totals totals, long mostInFlight, Optional<InstanceUse> use) {
    return new Point(
        at,
        totals.requests(),
        List.of(
            totals.byClass().at(0),
            totals.byClass().at(1),
            totals.byClass().at(2),
            totals.byClass().at(3),
            totals.byClass().at(4)),
        totals.aborted(),
        totals.receivedBytes(),
        totals.sentBytes(),
        mostInFlight,
        millis(totals, MEDIAN),
        millis(totals, P99),
        use);
  }

  private static Optional<Double> millis(Totals totals, double share) {
    return totals.latencies().sum() == 0
        ? Optional.empty()
        : Optional.of(
            Math.round(
                    Latencies.quantileSeconds(totals.latencies(), share)
                        * MILLIS_PER_SECOND
                        * MILLIS_PER_SECOND)
                / MILLIS_PER_SECOND);
  }

  /** Deletes what is older than it is kept. */
  public void forgetOld() {
    database.useTransaction(tx -> {
      traffic.forget(tx, clock.instant());
      uses.forget(tx, clock.instant());
    });
  }
}
