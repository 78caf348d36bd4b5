package dev.slipway.account;

import static dev.slipway.account.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AtOnce;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.SessionId;
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
  private final Guesser adaHere = Guesser.stranger(ada, ADDRESS);
  private final Guesser adaAtHome = Guesser.atKnownBrowser(ada, new byte[] {1, 2});
  private final TestClock clock = new TestClock();
  private final Database database = TestDatabase.fresh();
  private final Guesses guesses = new Guesses(database, clock);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void afterFiveWrongGuessesEachPauseIsTwiceAsLongUntilAFewAnHourAreLeft() {
    guess(5, ada, ADDRESS);

    // Meanwhile earlier ones are forgotten, one in twelve minutes.
    for (int seconds : List.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 512, 512, 900, 512)) {
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
    guesses.right(guesses.count(adaHere));

    guess(5, ada, ADDRESS);
    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void aRightGuessIsNotCountedAgainstItsAddressOrItsUser() {
    for (int i = 0; i < 200; i++) {
      guesses.right(guesses.count(adaHere));
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
    guesses.right(guesses.count(adaHere));
    guess(1, new EmailAddress("eve@example.org"), ADDRESS);

    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void whoeverGuessesFromManyAddressesIsSlowedDownByUser() {
    guessFromMany(100);

    assertPaused(ada, ADDRESS, 1);
    guess(1, new EmailAddress("bob@example.org"), ADDRESS);
  }

  @Test
  void atABrowserWhereHeSignedInBeforeNobodyElsesGuessesKeepAUserOut() {
    guessFromMany(100);
    guessForMany(20, ADDRESS);

    guesses.count(adaAtHome);

    assertPaused(ada, "10.0.9.9", 1);
    assertPaused(new EmailAddress("bob@example.org"), ADDRESS, 1);
  }

  @Test
  void guessesAtAKnownBrowserAreSlowedDownByItselfForThatUser() {
    for (int i = 0; i < 5; i++) {
      guesses.count(adaAtHome);
    }

    assertPaused(adaAtHome, 1);
    guesses.count(Guesser.atKnownBrowser(ada, new byte[] {3}));
    guesses.count(Guesser.atKnownBrowser(new EmailAddress("bob@example.org"), new byte[] {1, 2}));
    guess(1, ada, ADDRESS);
    clock.advance(Duration.ofSeconds(1));
    guesses.right(guesses.count(adaAtHome));
    guesses.count(adaAtHome);
  }

  @Test
  void aRightGuessAtAKnownBrowserClearsWhatOthersGotWrongForTheUser() {
    guessFromMany(100);
    guesses.right(guesses.count(adaAtHome));

    guess(1, ada, ADDRESS);
  }

  @Test
  void guessesInASessionAreCountedByItAlone() {
    Guesser session = Guesser.inSession(SessionId.next());
    guessFromMany(100);
    for (int i = 0; i < 5; i++) {
      guesses.count(session);
    }

    assertPaused(session, 1);
    guesses.count(Guesser.inSession(SessionId.next()));
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
      guesses.takeBack(guesses.count(adaHere));
    }

    guess(1, ada, ADDRESS);
    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void whatIsTakenBackLeavesThePauseOfALaterGuess() {
    guess(3, ada, ADDRESS);
    Guesses.Guess slow = guesses.count(adaHere);
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
  void wrongGuessesAreForgottenOneByOneThoughMoreAreMade() {
    guess(5, ada, ADDRESS);
    clock.advance(Duration.ofMinutes(12));
    guess(1, ada, ADDRESS);

    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void rightGuessesKeepNoWrongOnesFromBeingForgotten() {
    guessForMany(19, ADDRESS);
    for (int minute = 0; minute < 57; minute++) {
      clock.advance(Duration.ofMinutes(1));
      guesses.right(guesses.count(adaHere));
    }

    guessForMany(19, ADDRESS);

    guess(1, ada, ADDRESS);
    assertPaused(ada, ADDRESS, 1);
  }

  @Test
  void aPauseFromAClockThatWasFarAheadDoesNotLastUntilThen() {
    TestClock wrong = new TestClock();
    wrong.advance(Duration.ofDays(400));
    Guesses ahead = new Guesses(database, wrong);
    for (int i = 0; i < 5; i++) {
      ahead.count(adaHere);
    }

    guess(1, ada, ADDRESS);
  }

  private void guess(int times, EmailAddress email, String address) {
    for (int i = 0; i < times; i++) {
      guesses.count(Guesser.stranger(email, address));
    }
  }

  private void guessForMany(int users, String address) {
    for (int i = 0; i < users; i++) {
      guess(1, new EmailAddress("user%d@example.org".formatted(i)), address);
    }
  }

  private void guessFromMany(int addresses) {
    for (int i = 0; i < addresses; i++) {
      guess(1, ada, "10.0.1." + i);
    }
  }

  private void assertPaused(EmailAddress email, String address, int seconds) {
    assertPaused(Guesser.stranger(email, address), seconds);
  }

  private void assertPaused(Guesser by, int seconds) {
    assertRefused(
        () -> guesses.count(by), ErrorCode.RATE_LIMITED, "try again in %d s".formatted(seconds));
  }

  /** False in a pause. */
  private boolean isMade(Guesses server) {
    try {
      server.count(adaHere);
      return true;
    } catch (RequestException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.RATE_LIMITED);
      return false;
    }
  }
}
