package dev.slipway.dashboard;

import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.StoredEntry;
import java.time.Instant;
import java.util.Optional;

/**
 * A line of a log as pages show it.
 *
 * @param number its place in the log
 * @param instance that printed it, where one did
 */
public record LogLine(
    long number, Instant at, LogLevel level, Optional<String> instance, String text) {
  /** What is longer is for the whole log alone. */
  private static final int MAX_CHARS = 4_000;

  /** Of a line's markup, without its text. */
  private static final int MARKUP_BYTES = 200;

  /** A line of a build. */
  static LogLine of(StoredEntry stored) {
    return of(stored.seq(), stored.entry(), Optional.empty());
  }

  static LogLine of(long number, LogEntry entry, Optional<String> instance) {
    String text = entry.message();
    return new LogLine(
        number,
        entry.timestamp(),
        entry.level(),
        instance,
        text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + " … (cut)");
  }

  /** A class of the styles; empty for a plain line. */
  public String tone() {
    return LogTone.of(level, text);
  }

  public String id() {
    return "L" + number;
  }

  /** At most so large is it in a page. */
  int bytes() {
    return MARKUP_BYTES
        + text.chars().map(it -> it == '&' || it == '<' || it == '>' ? 5 : it < 0x80 ? 1 : 3).sum();
  }
}
