package dev.slipway.metric;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a Prometheus reads of this process: its requests, and its Java virtual machine. Made at the
 * first time that somebody asks. Thread-safe.
 */
public final class Exposition {
  private static final int MOST_PROJECTS = 1_000;

  private final TrafficMeters meters;
  private final boolean eachProject;
  private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();
  private final ExpositionFormatWriter plain = PrometheusTextFormatWriter.create();
  private Optional<PrometheusRegistry> made = Optional.empty();

  /**
   * @param eachProject whether projects have series of their own, and not one together
   */
  public Exposition(TrafficMeters meters, boolean eachProject) {
    this.meters = meters;
    this.eachProject = eachProject;
  }

  /** A text and how it is written. */
  public record Page(String contentType, String text) {}

  /**
   * All of it at this moment.
   *
   * @param accept the header of whoever asks
   */
  public Page page(String accept) {
    ExpositionFormatWriter writer = openMetrics.accepts(accept) ? openMetrics : plain;
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      writer.write(text, registry().scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return new Page(writer.getContentType(), text.toString(StandardCharsets.UTF_8));
  }

  private synchronized PrometheusRegistry registry() {
    return made.orElseGet(() -> {
      PrometheusRegistry registry = new PrometheusRegistry();
      registry.register(new TrafficCollector(meters, eachProject ? MOST_PROJECTS : 0));
      JvmMetrics.builder().register(registry);
      made = Optional.of(registry);
      return registry;
    });
  }
}
