package dev.slipway.account;

import java.time.Duration;
import java.time.Instant;

/**
 * How often a password was guessed wrong, lately. Each wrong guess is forgotten in its time, one
 * after the other.
 *
 * @param forgottenAt when the last one is forgotten; those under way are among them: at first each
 *     guess counts as wrong
 * @param freeAt when the next guess may be made
 */
record Tally(Instant forgottenAt, Instant freeAt) {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(15);

  /** More make no pause longer. */
  private static final int MOST_BEYOND = 10;

  /**
   * What is borne.
   *
   * @param free wrong guesses before the first pause
   * @param each after which time one of them is forgotten
   */
  record Limit(int free, Duration each) {
    Duration most() {
      return each.multipliedBy(free + MOST_BEYOND);
    }
  }

  /** Nothing but a clock that was wrong makes a pause that is longer than the longest. */
  boolean isPaused(Instant now) {
    return freeAt.isAfter(now) && !freeAt.isAfter(now.plus(LONGEST_PAUSE));
  }

  /** One more: from the {@code free}th on the next must wait, each time twice as long. */
  Tally failed(Limit limit, Instant now) {
    Instant latest = now.plus(limit.most());
    // Later than the latest is from a clock that was wrong.
    boolean counts = forgottenAt.isAfter(now) && !forgottenAt.isAfter(latest);
    Instant next = (counts ? forgottenAt : now).plus(limit.each());
    Instant forgotten = next.isAfter(latest) ? latest : next;
    long failures =
        Math.ceilDiv(Duration.between(now, forgotten).toNanos(), limit.each().toNanos());
    return new Tally(
        forgotten, failures < limit.free() ? now : now.plus(pause(failures - limit.free())));
  }

  /**
   * Without a guess that was not wrong; the pause that it began ends with it.
   *
   * @param counted what the guess made of the tally
   */
  Tally without(Tally counted, Limit limit, Instant guessedAt) {
    return new Tally(
        forgottenAt.minus(limit.each()), freeAt.equals(counted.freeAt()) ? guessedAt : freeAt);
  }

  private static Duration pause(long beyond) {
    return Duration.ofSeconds(Math.min(1L << beyond, LONGEST_PAUSE.toSeconds()));
  }
}
