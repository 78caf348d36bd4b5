package dev.slipway.account;

import static dev.slipway.account.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AtOnce;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.TestClock;
import dev.slipway.db.Database;
import dev.slipway.db.TestDatabase;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuessesTest {
  private static final String ADDRESS = "10.0.0.1";
  private final EmailAddress ada = new EmailAddress("ada@example.org");
  private final TestClock clock = new TestClock();
  private final Database database = TestDatabase.fresh();
  private final Guesses guesses = new Guesses(database, clock);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void afterFiveWrongGuessesEachPauseIsTwiceAsLongUntilAQuarterOfAnHour() {
    guess(5, ada, ADDRESS);

    for (int seconds : List.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900)) {
      assertPaused(ada, ADDRESS, seconds);
      clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
      assertPaused(ada, ADDRESS, 1);
      clock.advance(Duration.ofMillis(1));
      guess(1, ada, ADDRESS);
    }
  }

  @Test
  void whoeverTriesInAPauseDoesNotMakeItLonger() {
    guess(5, ada, ADDRESS);
    for (int i = 0; i < 10; i++) {
      assertPaused(ada, ADDRESS, 1);
    }

    clock.advance(Duration.ofSeconds(1));

    guess(1, ada, ADDRESS);
    assertPaused(ada, ADDRESS, 2);
  }

  @Test
  void howAnAddressIsWrittenMakesNoDifference() {
    guess(5, ada, ADDRESS);

    assertPaused(new EmailAddress("ADA@Example.org"), ADDRESS, 1);
  }

  @Test
  void theUserMaySignInFromElsewhereMeanwhile() {
    guess(5, ada, ADDRESS);

    guess(1, ada, "10.0.0.2");
  }

  @Test
  void aRightGuessClearsWhatTheUserGotWrongThere() {
    guess(4, ada, ADDRESS);
    guesses.right(guesses.count(ada, ADDRESS));

    guess(5, ada, ADDRESS);
    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void aRightGuessIsNotCountedAgainstItsAddressOrItsUser() {
    for (int i = 0; i < 200; i++) {
      guesses.right(guesses.count(ada, ADDRESS));
    }

    guess(1, ada, ADDRESS);
  }

  @Test
  void whoeverGuessesForManyUsersIsSlowedDownByAddress() {
    guessForMany(20, ADDRESS);

    assertPaused(ada, ADDRESS, 1);
    guess(1, ada, "10.0.0.2");
  }

  @Test
  void aRightGuessOfHisOwnDoesNotFreeWhoeverGuessesForOthers() {
    guessForMany(19, ADDRESS);
    guesses.right(guesses.count(ada, ADDRESS));
    guess(1, new EmailAddress("eve@example.org"), ADDRESS);

    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void whoeverGuessesFromManyAddressesIsSlowedDownByUser() {
    for (int i = 0; i < 100; i++) {
      guess(1, ada, "10.0.1." + i);
    }

    assertPaused(ada, ADDRESS, 1);
    guess(1, new EmailAddress("bob@example.org"), ADDRESS);
  }

  @Test
  void guessesAtOnceOnTwoServersAreAllCounted() throws Exception {
    Guesses other = new Guesses(database, clock);
    List<Guesses> servers =
        IntStream.range(0, 32).mapToObj(i -> i % 2 == 0 ? guesses : other).toList();

    List<Boolean> made = AtOnce.each(servers, this::isMade);

    assertThat(Collections.frequency(made, true)).isEqualTo(5);
  }

  @Test
  void aGuessThatWasNotLookedAtIsTakenBackWithItsPause() {
    guess(4, ada, ADDRESS);
    for (int i = 0; i < 10; i++) {
      guesses.takeBack(guesses.count(ada, ADDRESS));
    }

    guess(1, ada, ADDRESS);
    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void whatIsTakenBackLeavesThePauseOfALaterGuess() {
    guess(3, ada, ADDRESS);
    Guesses.Guess slow = guesses.count(ada, ADDRESS);
    clock.advance(Duration.ofMillis(10));
    guess(1, ada, ADDRESS);

    guesses.takeBack(slow);

    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void anHourWithoutAGuessForgetsThemAll() {
    guess(5, ada, ADDRESS);
    clock.advance(Duration.ofHours(1));

    guess(5, ada, ADDRESS);
    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void aPauseFromAClockThatWasFarAheadDoesNotLastUntilThen() {
    TestClock wrong = new TestClock();
    wrong.advance(Duration.ofDays(400));
    Guesses ahead = new Guesses(database, wrong);
    for (int i = 0; i < 5; i++) {
      ahead.count(ada, ADDRESS);
    }

    guess(1, ada, ADDRESS);
  }

  private void guess(int times, EmailAddress email, String address) {
    for (int i = 0; i < times; i++) {
      guesses.count(email, address);
    }
  }

  private void guessForMany(int users, String address) {
    for (int i = 0; i < users; i++) {
      guess(1, new EmailAddress("user%d@example.org".formatted(i)), address);
    }
  }

  private void assertPaused(EmailAddress email, String address, int seconds) {
    assertRefused(
        () -> guesses.count(email, address),
        ErrorCode.RATE_LIMITED,
        "try again in %d s".formatted(seconds));
  }

  /** False in a pause. */
  private boolean isMade(Guesses server) {
    try {
      server.count(ada, ADDRESS);
      return true;
    } catch (RequestException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.RATE_LIMITED);
      return false;
    }
  }
}
