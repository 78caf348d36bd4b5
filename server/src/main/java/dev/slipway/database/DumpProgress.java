package dev.slipway.database;

import java.time.Duration;
import java.util.function.Consumer;

/** Says now and then how far a dump has come. Not thread-safe. */
public final class DumpProgress {
  static final DumpProgress NONE = new DumpProgress(_ -> {}, "", 0, "");

  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final long KIB = 1 << 10;

  private final Consumer<String> to;
  private final String done;
  private final long ofBytes;
  private final String next;
  private long lastNanos = System.nanoTime();

  /**
   * @param done what is said of the bytes: {@code Copied}
   * @param ofBytes about how many there will be, 0 where that is not known
   * @param next what follows when all are read; a sentence, or empty
   */
  public DumpProgress(Consumer<String> to, String done, long ofBytes, String next) {
    this.to = to;
    this.done = done;
    this.ofBytes = ofBytes;
    this.next = next;
  }

  /** With a unit: {@code 512 B}, {@code 1.5 MiB}. */
  public static String size(long bytes) {
    if (bytes < KIB) {
      return bytes + " B";
    }
    int power = Math.min((63 - Long.numberOfLeadingZeros(bytes)) / 10, 4);
    return "%.1f %ciB".formatted(bytes / (double) (1L << (10 * power)), "KMGT".charAt(power - 1));
  }

  void at(long bytes) {
    long now = System.nanoTime();
    if (now - lastNanos >= EVERY.toNanos()) {
      lastNanos = now;
      to.accept(
          ofBytes > 0
              ? "%s %s so far, of about %s.".formatted(done, size(bytes), size(ofBytes))
              : "%s %s so far.".formatted(done, size(bytes)));
    }
  }

  void allIsRead() {
    if (!next.isEmpty()) {
      to.accept(next);
    }
  }
}
