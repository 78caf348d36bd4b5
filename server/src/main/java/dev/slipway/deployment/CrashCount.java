package dev.slipway.deployment;

import java.time.Duration;
import java.time.Instant;

/**
 * How often in a row a program ended soon after its start, and how long to wait before the next.
 *
 * @param last when it was counted last
 */
record CrashCount(int quick, Instant last) {
  static final CrashCount NONE = new CrashCount(0, Instant.EPOCH);

  /** From so many on it is taken to crash for ever. */
  static final int MANY = 10;

  /** What ran this long is not in a loop of crashes. */
  static final Duration SETTLED = Duration.ofMinutes(1);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  static final Duration SLOW = Duration.ofMinutes(5);

  /**
   * One more instance has ended. What ended with it from one cause counts once: those that had been
   * started before the last crash that counted.
   */
  CrashCount crashed(Instant startedAt, Instant at) {
    if (Duration.between(startedAt, at).compareTo(SETTLED) >= 0) {
      return new CrashCount(1, at);
    }
    return startedAt.isBefore(last) ? this : new CrashCount(quick + 1, at);
  }

  /** One more did not come up; however long that took, it never served. */
  CrashCount notStarted(Instant begun, Instant at) {
    return begun.isBefore(last) ? this : new CrashCount(quick + 1, at);
  }

  /** Whether starting it at once, again and again, leads nowhere. */
  boolean many() {
    return quick >= MANY;
  }

  /** Before the next start. */
  Duration pause() {
    if (many()) {
      return SLOW;
    }
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.max(0, quick - 1));
    return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
  }
}
