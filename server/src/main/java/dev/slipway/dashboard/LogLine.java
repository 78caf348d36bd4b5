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
 * @param at when it was written; absent where nobody knows
 * @param instance that printed it, where one did
 */
public record LogLine(
    long number, Optional<Instant> at, LogLevel level, Optional<String> instance, String text) {
  /** What is longer is for the whole log alone. */
  private static final int MAX_CHARS = 4_000;

  /** Of a line's markup, without its text. */
  private static final int MARKUP_BYTES = 200;

  /** A line of a build. */
  static LogLine of(StoredEntry stored) {
    return of(stored.seq(), stored.entry());
  }

  static LogLine of(long number, LogEntry entry) {
    return of(number, Optional.of(entry.timestamp()), entry, Optional.empty());
  }

  /** A line that a program printed, which writes no times. */
  static LogLine printed(long number, LogEntry entry, String instance) {
    return of(number, Optional.empty(), entry, Optional.of(instance));
  }

  private static LogLine of(
      long number, Optional<Instant> at, LogEntry entry, Optional<String> instance) {
    String text = entry.message();
    return new LogLine(
        number,
        at,
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
