package dev.slipway.dashboard;

import dev.slipway.metric.ProjectMetrics.Point;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The last 24 hours of a project as three small plots. */
final class DayOfProject {
  /** So that a single error does not look like a flood. */
  private static final double LEAST_ERRORS = 4;

  private DayOfProject() {}

  static List<Plot> plots(List<Point> hours) {
    long requests = hours.stream().mapToLong(Point::requests).sum();
    long errors = hours.stream().mapToLong(DayOfProject::errors).sum();
    List<Double> p99 = values(hours, it -> it.p99Millis().orElse(Double.NaN));
    double slowest = Curve.highest(p99);
    String slow = slowest > 0 ? Shown.millis(slowest) : "none";
    List<Double> failed = values(hours, DayOfProject::errors);
    return List.of(
        Plot.small(
            "Requests",
            Shown.number(requests),
            "",
            Shown.number(requests) + " requests in the last 24 hours",
            line(Curve.of(Curve.soFar(values(hours, Point::requests))), "")),
        Plot.small(
            "Errors",
            Shown.number(errors),
            "",
            Shown.number(errors) + " answers with status 500 or above in the last 24 hours",
            line(
                new Curve(Curve.soFar(failed), Math.max(LEAST_ERRORS, Curve.highest(failed))),
                "c-bad")),
        Plot.small(
            "Latency",
            slow,
            slowest > 0 ? "p99 at its highest" : "",
            slowest > 0
                ? "Of each hour of the last 24, the highest p99 was " + slow
                : "No request was answered in the last 24 hours",
            line(Curve.of(p99), "")));
  }

  static long errors(Point point) {
    return point.byClass().getLast();
  }

  static List<Double> values(List<Point> points, ToDoubleFunction<Point> value) {
    return points.stream().map(value::applyAsDouble).toList();
  }

  private static Plot.Line line(Curve curve, String tone) {
    return new Plot.Line(curve, tone, "", true);
  }
}
