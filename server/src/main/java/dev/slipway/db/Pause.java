package dev.slipway.db;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * Waits for what only asking again can tell: states of processes that are not our children, of
 * sessions of a server.
 */
public final class Pause {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private Pause() {}

  /** True when the condition came true within the time, false when it did not. */
  public static boolean until(BooleanSupplier condition, Duration limit) {
    Instant deadline = Instant.now().plus(limit);
    while (!condition.getAsBoolean()) {
      if (Instant.now().isAfter(deadline)) {
        return false;
      }
      try {
        Thread.sleep(BETWEEN_LOOKS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for PostgreSQL", e);
      }
    }
    return true;
  }
}
