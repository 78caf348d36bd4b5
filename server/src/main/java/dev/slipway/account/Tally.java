package dev.slipway.account;

import java.time.Duration;
import java.time.Instant;

/**
 * How often a password was guessed wrong, lately.
 *
 * @param failures those under way among them: at first each guess counts as wrong
 * @param freeAt when the next guess may be made
 */
record Tally(int failures, Instant lastAt, Instant freeAt) {
  static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(15);

  /** Nothing but a clock that was wrong makes a pause that is longer than the longest. */
  boolean isPaused(Instant now) {
    return freeAt.isAfter(now) && !freeAt.isAfter(now.plus(LONGEST_PAUSE));
  }

  /** One more: from the {@code free}th on the next must wait, each time twice as long. */
  Tally failed(int free, Instant now) {
    int counted = lastAt.plus(FORGOTTEN_AFTER).isAfter(now) ? failures + 1 : 1;
    return new Tally(counted, now, counted < free ? now : now.plus(pause(counted - free)));
  }

  /** Without that guess, which was not wrong; the pause that it began ends with it. */
  Tally without(Instant guessedAt) {
    return new Tally(Math.max(0, failures - 1), lastAt, lastAt.equals(guessedAt) ? lastAt : freeAt);
  }

  private static Duration pause(int beyond) {
    long seconds = 1L << Math.min(beyond, 30);
    return Duration.ofSeconds(Math.min(seconds, LONGEST_PAUSE.toSeconds()));
  }
}
