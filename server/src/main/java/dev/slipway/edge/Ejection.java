package dev.slipway.edge;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether an instance is passed over because it refused a connection or answered nothing, and for
 * how long: longer each time, until it has been fine for a while. Thread-safe.
 */
final class Ejection {
  static final Duration FIRST = Duration.ofMillis(200);
  static final Duration LONGEST = Duration.ofSeconds(10);

  private volatile boolean present;
  private int strikes;
  private long endedAtNanos;

  boolean present() {
    return present;
  }

  /** How long it is passed over from now on; empty where it is already. */
  synchronized Optional<Duration> begin() {
    if (present) {
      return Optional.empty();
    }
    if (strikes > 0 && System.nanoTime() - endedAtNanos > LONGEST.toNanos()) {
      strikes = 0;
    }
    present = true;
    return Optional.of(strike());
  }

  /** How much longer, as it did so once more. */
  synchronized Duration prolong() {
    return strike();
  }

  /** It is fine. */
  synchronized void end() {
    present = false;
    endedAtNanos = System.nanoTime();
  }

  private Duration strike() {
    Duration doubled = FIRST.multipliedBy(1L << Math.min(strikes++, 20));
    return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
  }
}
