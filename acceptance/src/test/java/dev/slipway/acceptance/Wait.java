package dev.slipway.acceptance;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what another process does, by asking again and again. */
final class Wait {
  private static final Duration GAP = Duration.ofMillis(20);

  private Wait() {}

  /** Fails with {@code what} where it is not so within the limit. */
  static void until(String what, Duration limit, BooleanSupplier condition) {
    boolean _ = until(what, limit, () -> Optional.of(true).filter(_ -> condition.getAsBoolean()));
  }

  /** The value, as soon as there is one. */
  static <T> T until(String what, Duration limit, Supplier<Optional<T>> value) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Optional<T> found = value.get();
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + limit.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(GAP.toNanos());
    }
  }
}
