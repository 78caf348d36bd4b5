package dev.slipway.dashboard;

import dev.slipway.metric.ProjectMetrics.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Draws what was measured of a project in a range of time.
 *
 * @param points one for each step, oldest first; one at least
 * @param memoryLimit in bytes, of all its instances together; where it is known
 */
record MetricsPlots(MetricsRange range, List<Point> points, Optional<Long> memoryLimit) {
  private static final int TIMES = 4;

  List<Plot> all() {
    return List.of(
        totals(Measurement.REQUESTS, "", 4),
        totals(Measurement.ERRORS, "c-bad", 4),
        latency(),
        memory(),
        totals(Measurement.CPU, "", 1),
        totals(Measurement.BYTES_OUT, "", 1000));
  }

  /** The values as a table, with the time of each first. */
  List<List<String>> rows() {
    return points.stream()
        .map(point -> {
          List<String> row = new ArrayList<>(List.of(range.time(point.at())));
          Measurement.ALL.forEach(each -> row.add(each.cell(point)));
          return List.copyOf(row);
        })
        .toList();
  }

  private Plot totals(Measurement what, String tone, double least) {
    List<Double> values = what.values(points);
    double sum = values.stream().filter(it -> !it.isNaN()).mapToDouble(it -> it).sum();
    Scale scale = Scale.over(Curve.highest(values), least);
    return plot(
        what.head(),
        what.text().apply(sum),
        peak(what).map(it -> "most " + it).orElse(""),
        List.of(
            new Plot.Line(new Curve(Curve.soFar(values), scale.top()), tone, what.head(), true)),
        List.of(what),
        scale.heights(what.text()));
  }

  private Plot latency() {
    List<Measurement> both = List.of(Measurement.P50, Measurement.P99);
    Scale scale = Scale.over(Curve.highest(Measurement.P99.values(points)), 1);
    Function<Measurement, Curve> curve = it -> new Curve(it.values(points), scale.top());
    return plot(
        "Latency",
        peak(Measurement.P99).orElse("No request"),
        peak(Measurement.P99).isPresent() ? "p99 at its highest" : "",
        List.of(
            new Plot.Line(curve.apply(Measurement.P50), "", "p50", false),
            new Plot.Line(curve.apply(Measurement.P99), "c-3", "p99", false)),
        both,
        scale.heights(Measurement.P99.text()));
  }

  private Plot memory() {
    Measurement what = Measurement.MEMORY;
    List<Double> values = what.values(points);
    Scale scale =
        memoryLimit
            .map(it -> new Scale(Math.max(it, Curve.highest(values))))
            .orElseGet(() -> Scale.over(Curve.highest(values), 1));
    return plot(
        what.head(),
        peak(what).orElse("No program ran"),
        peak(what)
            .map(_ ->
                memoryLimit.map(it -> "highest, of " + what.text().apply(it)).orElse("highest"))
            .orElse(""),
        List.of(new Plot.Line(new Curve(values, scale.top()), "", what.head(), true)),
        List.of(what),
        scale.heights(what.text()));
  }

  private Plot plot(
      String title,
      String value,
      String note,
      List<Plot.Line> lines,
      List<Measurement> shown,
      List<String> heights) {
    return new Plot(
        title,
        value,
        note,
        "%s in the last %s: %s %s. The values are in the table below."
            .formatted(title, range.words(), value, note),
        lines,
        shown.stream().map(it -> Integer.toString(it.column())).collect(Collectors.joining(" ")),
        heights,
        times());
  }

  /** The highest value, and when it was. */
  private Optional<String> peak(Measurement what) {
    return points.stream()
        .filter(it -> what.value().apply(it) > 0)
        .max(Comparator.comparing(what.value()))
        .map(it ->
            "%s at %s".formatted(what.text().apply(what.value().apply(it)), range.time(it.at())));
  }

  private List<String> times() {
    List<String> times = new ArrayList<>();
    for (int i = 0; i < TIMES; i++) {
      times.add(range.time(points.get(i * points.size() / TIMES).at()));
    }
    times.add("now");
    return times;
  }
}
