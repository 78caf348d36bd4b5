package dev.slipway.dashboard;

import dev.slipway.metric.ProjectMetrics.Point;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * One of the numbers that are measured.
 *
 * @param head of its column
 * @param value NaN where nothing is known
 * @param text a value for people
 */
record Measurement(String head, Function<Point, Double> value, DoubleFunction<String> text) {
  private static final String UNKNOWN = "none";
  private static final double NANO_SHARE = 1e9;

  static final Measurement REQUESTS =
      new Measurement("Requests", it -> (double) it.requests(), Measurement::count);
  static final Measurement ERRORS =
      new Measurement("Errors", it -> (double) it.byClass().getLast(), Measurement::count);
  static final Measurement P50 =
      new Measurement("p50", it -> it.p50Millis().orElse(Double.NaN), Shown::millis);
  static final Measurement P99 =
      new Measurement("p99", it -> it.p99Millis().orElse(Double.NaN), Shown::millis);
  static final Measurement MEMORY =
      new Measurement(
          "Memory",
          it -> it.use().map(use -> (double) use.memoryBytes()).orElse(Double.NaN),
          it -> Shown.mebibytes(Math.round(it)));
  static final Measurement CPU =
      new Measurement(
          "CPU time",
          it -> it.use().map(use -> use.cpuSeconds()).orElse(Double.NaN),
          it -> Shown.duration(Duration.ofNanos(Math.round(it * NANO_SHARE))));
  static final Measurement BYTES_OUT =
      new Measurement(
          "Bytes out", it -> (double) it.sentBytes(), it -> Shown.bytes(Math.round(it)));

  /** In the order of the table's columns. */
  static final List<Measurement> ALL = List.of(REQUESTS, ERRORS, P50, P99, MEMORY, CPU, BYTES_OUT);

  List<Double> values(List<Point> points) {
    return points.stream().map(value).toList();
  }

  String cell(Point point) {
    double known = value.apply(point);
    return Double.isNaN(known) ? UNKNOWN : text.apply(known);
  }

  /** The number of its column; that of the time is 0. */
  int column() {
    return ALL.indexOf(this) + 1;
  }

  private static String count(double number) {
    return Shown.number(Math.round(number));
  }
}
