package dev.slipway.dashboard;

import dev.slipway.metric.ProjectMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far back metrics are looked at; each has about a hundred points. */
enum MetricsRange {
  HOUR("1h", "hour", Duration.ofHours(1), Duration.ofMinutes(1), "a minute", "HH:mm"),
  DAY("24h", "24 hours", Duration.ofHours(24), Duration.ofMinutes(15), "15 minutes", "HH:mm"),
  WEEK("7d", "7 days", Duration.ofDays(7), Duration.ofHours(2), "2 hours", "d MMM HH:mm"),
  MONTH("30d", "30 days", Duration.ofDays(30), Duration.ofHours(6), "6 hours", "d MMM HH:mm");

  private final String code;
  private final String words;
  private final Duration length;
  private final Duration step;
  private final String stepWords;
  private final DateTimeFormatter times;

  MetricsRange(
      String code, String words, Duration length, Duration step, String stepWords, String times) {
    this.code = code;
    this.words = words;
    this.length = length;
    this.step = step;
    this.stepWords = stepWords;
    this.times = DateTimeFormatter.ofPattern(times, Locale.ENGLISH).withZone(ZoneOffset.UTC);
  }

  /** As the address names it. */
  String code() {
    return code;
  }

  /** What follows “the last”. */
  String words() {
    return words;
  }

  String stepWords() {
    return stepWords;
  }

  /** A moment of it, as short as it can be told. */
  String time(Instant moment) {
    return times.format(moment);
  }

  ProjectMetrics.Range until(Instant now) {
    return new ProjectMetrics.Range(now.minus(length), now, step);
  }

  static Optional<MetricsRange> ofCode(String code) {
    return Arrays.stream(values()).filter(it -> it.code.equals(code)).findFirst();
  }
}
