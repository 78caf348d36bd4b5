package dev.slipway.metric;

import dev.slipway.core.ProjectId;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The requests of this process as a Prometheus wants them. Projects beyond the first {@value
 * #mostProjects} that were asked for share one series: what reads them need not hold all.
 */
final class TrafficCollector implements MultiCollector {
  private static final String OTHERS = "others";
  private static final double NANOS_PER_SECOND = 1e9;

  // From one millisecond to half a minute, each twice the one before: where our own ranges begin.
  private static final int FIRST_BOUND = 12;
  private static final int LAST_BOUND = 72;
  private static final int BOUNDS_STEP = 4;

  private final TrafficMeters meters;
  private final int mostProjects;

  /**
   * @param mostProjects that have series of their own; the others have one together
   */
  TrafficCollector(TrafficMeters meters, int mostProjects) {
    this.meters = meters;
    this.mostProjects = mostProjects;
  }

  /** What one series shows. */
  private record Shown(Labels labels, Totals totals, long inFlight) {}

  @Override
  public MetricSnapshots collect() {
    List<Shown> apps = apps();
    List<Shown> api = List.of(shown(Labels.EMPTY, meters.api()));
    List<Shown> nobody = List.of(shown(Labels.EMPTY, meters.others()));
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    all.metricSnapshot(statuses("slipway_app_requests", "Requests to applications", apps));
    all.metricSnapshot(times("slipway_app_answer", "Until an application's answer began", apps));
    all.metricSnapshot(
        counter(
            "slipway_app_aborted", "Answers that did not reach their end", apps, Totals::aborted));
    all.metricSnapshot(
        counter(
            "slipway_app_received_bytes",
            "Of requests to applications",
            apps,
            Totals::receivedBytes));
    all.metricSnapshot(
        counter("slipway_app_sent_bytes", "Of answers of applications", apps, Totals::sentBytes));
    all.metricSnapshot(inFlight(apps));
    all.metricSnapshot(statuses("slipway_api_requests", "Requests to the API", api));
    all.metricSnapshot(times("slipway_api_answer", "Until an answer of the API began", api));
    all.metricSnapshot(
        statuses("slipway_other_requests", "Requests for nobody, or refused as they were", nobody));
    all.metricSnapshot(refusals());
    all.metricSnapshot(
        CounterSnapshot.builder()
            .name("slipway_access_log_lost_lines")
            .help("Lines of the access log that the disk did not take")
            .dataPoint(point(Labels.EMPTY, meters.lostLines()))
            .build());
    return all.build();
  }

  private List<Shown> apps() {
    Map<String, Shown> shown = new LinkedHashMap<>();
    meters.projects().entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<ProjectId, Traffic> it) -> it.getValue().order()))
        .forEach(it -> {
          String name = shown.size() < mostProjects ? it.getKey().value() : OTHERS;
          Shown next = shown(Labels.of("project", name), it.getValue());
          shown.merge(
              name,
              next,
              (some, more) ->
                  new Shown(
                      some.labels, some.totals.plus(more.totals), some.inFlight + more.inFlight));
        });
    return List.copyOf(shown.values());
  }

  private static Shown shown(Labels labels, Traffic traffic) {
    return new Shown(labels, traffic.totals(), traffic.inFlight());
  }

  private static CounterSnapshot statuses(String name, String help, List<Shown> shown) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    for (Shown one : shown) {
      for (int i = 0; i < Totals.STATUS_CLASSES; i++) {
        counter.dataPoint(
            point(one.labels.add("status", i + 1 + "xx"), one.totals.byClass().at(i)));
      }
    }
    return counter.build();
  }

  private static CounterSnapshot counter(
      String name, String help, List<Shown> shown, ToLongFunction<Totals> value) {
    CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
    shown.forEach(it -> counter.dataPoint(point(it.labels, value.applyAsLong(it.totals))));
    return counter.build();
  }

  private static CounterDataPointSnapshot point(Labels labels, long value) {
    return CounterDataPointSnapshot.builder().labels(labels).value((double) value).build();
  }

  private CounterSnapshot refusals() {
    CounterSnapshot.Builder counter =
        CounterSnapshot.builder()
            .name("slipway_edge_refusals")
            .help("Connections and requests that the edge ended by itself");
    meters
        .refusals()
        .forEach((reason, count) ->
            counter.dataPoint(point(Labels.of("reason", reason), count.getAsLong())));
    return counter.build();
  }

  private static GaugeSnapshot inFlight(List<Shown> shown) {
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder()
            .name("slipway_app_requests_in_flight")
            .help("Requests to applications that are under way");
    shown.forEach(it ->
        gauge.dataPoint(
            GaugeDataPointSnapshot.builder()
                .labels(it.labels)
                .value((double) it.inFlight)
                .build()));
    return gauge.build();
  }

  private static HistogramSnapshot times(String name, String help, List<Shown> shown) {
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder().name(name + "_seconds").unit(Unit.SECONDS).help(help);
    for (Shown one : shown) {
      histogram.dataPoint(
          HistogramDataPointSnapshot.builder()
              .labels(one.labels)
              .classicHistogramBuckets(buckets(one.totals.latencies()))
              .sum(one.totals.answerNanos() / NANOS_PER_SECOND)
              .build());
    }
    return histogram.build();
  }

  private static ClassicHistogramBuckets buckets(Counts latencies) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    int from = 0;
    for (int bound = FIRST_BOUND; bound <= LAST_BOUND; bound += BOUNDS_STEP) {
      buckets.bucket(Latencies.beginSeconds(bound), latencies.between(from, bound));
      from = bound;
    }
    return buckets
        .bucket(Double.POSITIVE_INFINITY, latencies.between(from, latencies.size()))
        .build();
  }

  @Override
  public List<String> getPrometheusNames() {
    return Stream.of(
            "slipway_app_requests",
            "slipway_app_answer_seconds",
            "slipway_app_aborted",
            "slipway_app_received_bytes",
            "slipway_app_sent_bytes",
            "slipway_app_requests_in_flight",
            "slipway_api_requests",
            "slipway_api_answer_seconds",
            "slipway_other_requests",
            "slipway_edge_refusals",
            "slipway_access_log_lost_lines")
        .toList();
  }
}
