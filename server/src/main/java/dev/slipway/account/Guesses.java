package dev.slipway.account;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;

/**
 * Slows down whoever guesses passwords, by pauses that grow: for one user from one address, for all
 * users from one address, and for one user from anywhere. All servers on one store count together.
 * Thread-safe.
 */
final class Guesses {
  /** How many wrong guesses there may be before the first pause. */
  private static final int FREE_OF_PAIR = 5;

  /** Behind one address may be an office. */
  private static final int FREE_OF_ADDRESS = 20;

  /** High: or else whoever knows an e-mail address could keep its user out. */
  private static final int FREE_OF_USER = 100;

  private final Database database;
  private final GuessStore store = new GuessStore();
  private final Clock clock;

  Guesses(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** One that is counted as wrong until something else is known. */
  record Guess(EmailAddress email, String address, Instant at) {
    // In the same order for all, so that no two wait for each other.
    List<Subject> subjects() {
      return List.of(
          new Subject("address " + address, FREE_OF_ADDRESS),
          new Subject("user " + user(), FREE_OF_USER),
          pair());
    }

    Subject pair() {
      return new Subject("pair " + address + " " + user(), FREE_OF_PAIR);
    }

    private String user() {
      return email.value().toLowerCase(Locale.ROOT);
    }
  }

  record Subject(String text, int free) {}

  /**
   * Counts a guess before it is looked at, so that many at once count as many one after the other.
   *
   * @throws RequestException {@code RATE_LIMITED}, uncounted, in a pause
   */
  Guess count(EmailAddress email, String address) {
    // As exact as what the store keeps.
    Guess guess = new Guess(email, address, clock.instant().truncatedTo(ChronoUnit.MICROS));
    database.useTransaction(tx -> {
      for (Subject subject : guess.subjects()) {
        Tally tally = store.lock(tx, subject.text(), guess.at());
        if (tally.isPaused(guess.at())) {
          throw refusal(Duration.between(guess.at(), tally.freeAt()));
        }
        store.set(tx, subject.text(), tally.failed(subject.free(), guess.at()));
      }
    });
    return guess;
  }

  /** It was right: what this user got wrong at this address counts no more. */
  void right(Guess guess) {
    database.useTransaction(tx -> {
      for (Subject subject : guess.subjects()) {
        if (subject.equals(guess.pair())) {
          store.clear(tx, subject.text());
        } else {
          uncount(tx, subject, guess.at());
        }
      }
    });
  }

  /** It was not looked at. */
  void takeBack(Guess guess) {
    database.useTransaction(tx -> {
      for (Subject subject : guess.subjects()) {
        uncount(tx, subject, guess.at());
      }
    });
  }

  void forgetOld() {
    database.useTransaction(tx -> store.forget(tx, clock.instant().minus(Tally.FORGOTTEN_AFTER)));
  }

  private void uncount(Handle tx, Subject subject, Instant guessedAt) {
    Tally tally = store.lock(tx, subject.text(), guessedAt);
    store.set(tx, subject.text(), tally.without(guessedAt));
  }

  private static RequestException refusal(Duration left) {
    long seconds = Math.max(1, left.plusMillis(999).toSeconds());
    return new RequestException(
        ErrorCode.RATE_LIMITED,
        "The password was wrong too often; try again in %d s.".formatted(seconds));
  }
}
