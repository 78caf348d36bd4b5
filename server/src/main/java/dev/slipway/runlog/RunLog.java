package dev.slipway.runlog;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The log of one migration or deployment: short sentences for the user. Thread-safe. Every message
 * is masked before it is kept.
 */
public final class RunLog {
  private final LogSink sink;
  private final Masker masker;
  private final Clock clock;

  public RunLog(LogSink sink, Masker masker, Clock clock) {
    this.sink = sink;
    this.masker = masker;
    this.clock = clock;
  }

  public void info(String message) {
    append(LogLevel.INFO, message);
  }

  public void warning(String message) {
    append(LogLevel.WARNING, message);
  }

  public void error(String message) {
    append(LogLevel.ERROR, message);
  }

  /**
   * Runs one step between a line that says so, which is durable before the step begins, and a line
   * with its duration. A failing step gets no closing line: whoever handles the failure says why.
   */
  public <T> T step(String name, Supplier<T> work) {
    info("Step " + name + " started.");
    sink.flush();
    Instant start = clock.instant();
    T result = work.get();
    double seconds = Duration.between(start, clock.instant()).toMillis() / 1000.0;
    info(String.format(Locale.ROOT, "Step %s finished in %.1f s.", name, seconds));
    return result;
  }

  /** Returns when everything said so far is durable. */
  public void flush() {
    sink.flush();
  }

  private void append(LogLevel level, String message) {
    sink.append(new LogEntry(clock.instant(), level, masker.mask(PlainText.of(message))));
  }
}
