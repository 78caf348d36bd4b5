package dev.slipway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread does. */
public final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Eventually() {}

  /** Looks every two milliseconds, for 20 seconds at most. */
  public static void holds(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("not in time: " + what).isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }
}
