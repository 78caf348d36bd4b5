package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Slows down whoever guesses passwords, by pauses that grow. All servers on one store count
 * together. Thread-safe.
 */
final class Guesses {
  private final Database database;
  private final GuessStore store = new GuessStore();
  private final Clock clock;

  Guesses(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * One that is counted as wrong until something else is known.
   *
   * @param counted what it made of the tallies, in their order
   */
  record Guess(Guesser by, Instant at, Map<Guesser.Subject, Tally> counted) {}

  /**
   * Counts a guess before it is looked at, so that many at once count as many one after the other.
   *
   * @throws RequestException {@code RATE_LIMITED}, uncounted, in a pause
   */
  Guess count(Guesser by) {
    // As exact as what the store keeps.
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    return database.inTransaction(tx -> {
      Map<Guesser.Subject, Tally> counted = new LinkedHashMap<>();
      for (Guesser.Subject subject : by.counted()) {
        Tally tally = store.lock(tx, subject.text(), now);
        if (tally.isPaused(now)) {
          throw refusal(Duration.between(now, tally.freeAt()));
        }
        Tally more = tally.failed(subject.limit(), now);
        store.set(tx, subject.text(), more);
        counted.put(subject, more);
      }
      return new Guess(by, now, counted);
    });
  }

  /** It was right: what only he who knows the password got wrong counts no more. */
  void right(Guess guess) {
    database.useTransaction(tx -> {
      guess
          .counted()
          .forEach((subject, counted) -> {
            if (!guess.by().cleared().contains(subject)) {
              uncount(tx, subject, counted, guess.at());
            }
          });
      guess.by().cleared().forEach(subject -> store.clear(tx, subject.text()));
    });
  }

  /** It was not looked at. */
  void takeBack(Guess guess) {
    database.useTransaction(tx ->
        guess.counted().forEach((subject, counted) -> uncount(tx, subject, counted, guess.at())));
  }

  void forgetOld() {
    database.useTransaction(tx -> store.forget(tx, clock.instant()));
  }

  private void uncount(Handle tx, Guesser.Subject subject, Tally counted, Instant at) {
    Tally tally = store.lock(tx, subject.text(), at);
    store.set(tx, subject.text(), tally.without(counted, subject.limit(), at));
  }

  private static RequestException refusal(Duration left) {
    long seconds = Math.max(1, left.plusMillis(999).toSeconds());
    return new RequestException(
        ErrorCode.RATE_LIMITED,
        "The password was wrong too often; try again in %d s.".formatted(seconds));
  }
}
