package dev.slipway.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Shows how far something has come, on one line of a terminal; elsewhere nothing. */
final class Progress implements LongConsumer, AutoCloseable {
  private static final Duration BETWEEN_LINES = Duration.ofMillis(200);

  private final PrintWriter out;
  private final String what;
  private final boolean shown;
  private long lastLine = System.nanoTime();
  private int width;

  private Progress(PrintWriter out, String what, boolean shown) {
    this.out = out;
    this.what = what;
    this.shown = shown;
  }

  /**
   * @param what before the number of MiB
   */
  static Progress of(PrintWriter out, String what) {
    boolean shown = Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    return new Progress(out, what, shown);
  }

  @Override
  public void accept(long bytes) {
    long now = System.nanoTime();
    if (shown && now - lastLine >= BETWEEN_LINES.toNanos()) {
      lastLine = now;
      String line = "%s: %,d MiB".formatted(what, bytes >> 20);
      width = line.length();
      out.print("\r" + line);
      out.flush();
    }
  }

  /** Wipes the line. */
  @Override
  public void close() {
    if (width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      out.flush();
    }
  }
}
