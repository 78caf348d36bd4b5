package dev.slipway.sandbox;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what the kernel tells nobody about: looks again and again, ever less often. */
final class Waiting {
  private static final long FIRST_MILLIS = 1;
  private static final long LAST_MILLIS = 20;

  private Waiting() {}

  /**
   * Whether {@code condition} held within {@code limit}. An interruption ends the waiting, not what
   * it is part of, and is kept for the caller.
   */
  static boolean until(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    long pause = FIRST_MILLIS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() >= deadline) {
        return false;
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return condition.getAsBoolean();
      }
      pause = Math.min(LAST_MILLIS, pause + 1);
    }
    return true;
  }
}
