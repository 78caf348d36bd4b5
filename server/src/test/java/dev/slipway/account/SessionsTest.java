package dev.slipway.account;

import static dev.slipway.account.AccountPlace.PASSWORD;
import static dev.slipway.account.AccountPlace.VISITOR;
import static dev.slipway.account.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AtOnce;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.SessionId;
import dev.slipway.core.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private static final String ADA = "ada@example.org";
  private final AccountPlace place = new AccountPlace();
  private final Sessions sessions = place.sessions;
  private final TestClock clock = place.clock;
  private final Account account = place.account(ADA).account();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void whoeverKnowsThePasswordIsSignedInWithATokenThatIsFoundAgain() {
    Sessions.Started opened = place.open("  Ada@Example.org ");

    assertThat(opened.who().email()).isEqualTo(ADA);
    assertThat(opened.who().role()).isEqualTo(Role.OWNER);
    assertThat(opened.who().account()).isEqualTo(account);
    assertThat(sessions.find(opened.token())).contains(opened.who());
  }

  @Test
  void aWrongPasswordAndAnUnknownAddressAreRefusedInTheSameWords() {
    String words = "The e-mail address or the password is wrong.";

    assertRefused(
        () -> sessions.signIn(ADA, new Secret("analytical engine"), VISITOR),
        ErrorCode.UNAUTHORIZED,
        words);
    assertRefused(
        () -> sessions.signIn("eve@example.org", PASSWORD, VISITOR), ErrorCode.UNAUTHORIZED, words);
    assertThat(count("session")).isZero();
  }

  @Test
  void whatIsNoEmailAddressIsRefusedWithoutAskingTheStore() {
    assertRefused(
        () -> sessions.signIn("ada\u0000@example.org", PASSWORD, VISITOR),
        ErrorCode.INVALID_REQUEST,
        "e-mail");
  }

  @Test
  void theTokenIsNotInTheStore() {
    Secret token = place.open(ADA).token();

    String stored =
        place.database.read(
            tx -> tx.createQuery("SELECT s::text FROM session s").mapTo(String.class).one());
    assertThat(token.reveal()).matches("[0-9A-Za-z]{32}");
    assertThat(stored).doesNotContain(token.reveal());
  }

  @Test
  void aTokenThatWasNeverGivenOpensNothing() {
    place.open(ADA);

    assertThat(sessions.find(RandomText.token())).isEmpty();
    assertThat(sessions.find(new Secret(""))).isEmpty();
  }

  @Test
  void eachSignInMakesASessionOfItsOwn() {
    Sessions.Started first = place.open(ADA);
    Sessions.Started second = place.open(ADA);

    assertThat(first.token()).isNotEqualTo(second.token());
    assertThat(first.who().session()).isNotEqualTo(second.who().session());
    assertThat(sessions.find(first.token())).isPresent();
  }

  @Test
  void whoSignsInAgainWithABrowserLeavesNoEarlierSessionBehind() {
    Secret other = place.open(ADA).token();
    Sessions.Started first = place.open(ADA);
    Sessions.Visitor again =
        new Sessions.Visitor("10.0.0.1", "", Optional.of(first.token()), Optional.empty());
    assertRefused(
        () -> sessions.signIn(ADA, new Secret("wrong"), again), ErrorCode.UNAUTHORIZED, "wrong");
    assertThat(sessions.find(first.token())).as("not by trying").isPresent();

    Sessions.Started second = sessions.signIn(ADA, PASSWORD, again);

    assertThat(sessions.find(first.token())).isEmpty();
    assertThat(sessions.find(second.token())).isPresent();
    assertThat(sessions.find(other)).as("that of another browser").isPresent();
    assertThat(place.entries(account.id()).getLast())
        .extracting(AuditEntry::action, AuditEntry::subject, AuditEntry::detail)
        .containsExactly("session.end", first.who().session().value(), "signed in anew");
    assertThat(sessions.signIn(ADA, PASSWORD, again).who().email()).as("ended").isEqualTo(ADA);
  }

  @Test
  void aSessionEndsAfterTwoWeeksWithoutUse() {
    Secret token = place.open(ADA).token();
    clock.advance(Duration.ofDays(14).minusSeconds(1));
    assertThat(sessions.find(token)).isPresent();
    clock.advance(Duration.ofDays(14).minusSeconds(1));
    assertThat(sessions.find(token)).as("its use was noted").isPresent();

    clock.advance(Duration.ofDays(14));

    assertThat(sessions.find(token)).isEmpty();
  }

  @Test
  void aSessionEndsAfterNinetyDaysHoweverMuchItIsUsed() {
    Secret token = place.open(ADA).token();
    for (int day = 1; day < 90; day++) {
      clock.advance(Duration.ofDays(1));
      assertThat(sessions.find(token)).as("day %d", day).isPresent();
    }

    clock.advance(Duration.ofDays(1));

    assertThat(sessions.find(token)).isEmpty();
  }

  @Test
  void theUseOfASessionIsNotedOnceAMinute() {
    Sessions.Started opened = place.open(ADA);
    Instant begun = clock.instant();
    clock.advance(Duration.ofSeconds(59));
    sessions.find(opened.token());
    assertThat(sessions.list(opened.who())).extracting(Session::lastSeenAt).containsExactly(begun);

    clock.advance(Duration.ofSeconds(1));
    sessions.find(opened.token());

    assertThat(sessions.list(opened.who()))
        .extracting(Session::lastSeenAt)
        .containsExactly(clock.instant());
  }

  @Test
  void aUserSeesTheSessionsThatHaveNotEndedLastSeenFirst() {
    place.open(ADA);
    clock.advance(Duration.ofDays(10));
    SignedIn second =
        sessions
            .signIn(ADA, PASSWORD, new Sessions.Visitor("10.0.0.2", "Mosaic\n" + "x".repeat(300)))
            .who();
    place.user(account.id(), "bob@example.org", Role.MEMBER);
    place.signIn("bob@example.org");

    List<Session> shown = sessions.list(second);

    assertThat(shown).extracting(Session::address).containsExactly("10.0.0.2", "10.0.0.1");
    assertThat(shown.getFirst().userAgent()).isEqualTo("Mosaic " + "x".repeat(193));
    clock.advance(Duration.ofDays(4));
    assertThat(sessions.list(second)).extracting(Session::address).containsExactly("10.0.0.2");
  }

  @Test
  void whoSignsOutLeavesOtherSessionsOpen() {
    Sessions.Started first = place.open(ADA);
    Sessions.Started second = place.open(ADA);

    sessions.end(first.who());

    assertThat(sessions.find(first.token())).isEmpty();
    assertThat(sessions.find(second.token())).isPresent();
  }

  @Test
  void allOtherSessionsOfTheUserAreEndedAndNobodyElses() {
    place.user(account.id(), "bob@example.org", Role.MEMBER);
    Sessions.Started other = place.open(ADA);
    Sessions.Started bob = place.open("bob@example.org");
    Sessions.Started own = place.open(ADA);

    sessions.endOthers(own.who());

    assertThat(sessions.find(other.token())).isEmpty();
    assertThat(sessions.find(own.token())).isPresent();
    assertThat(sessions.find(bob.token())).isPresent();
  }

  @Test
  void nobodyEndsASessionOfAnotherUser() {
    place.user(account.id(), "bob@example.org", Role.MEMBER);
    Sessions.Started bob = place.open("bob@example.org");
    SessionId session = bob.who().session();

    assertRefused(
        () -> sessions.end(place.signIn(ADA), session), ErrorCode.NOT_FOUND, session.value());

    assertThat(sessions.find(bob.token())).isPresent();
  }

  @Test
  void aPasswordThatTheOperatorSetsEndsAllSessions() {
    Secret token = place.open(ADA).token();

    place.administration.setPassword(ADA, Optional.empty());

    assertThat(sessions.find(token)).isEmpty();
  }

  @Test
  void aPasswordThatWasChangedSinceItWasCheckedOpensNoSession() {
    Login checked =
        place.database.read(tx -> new UserStore().login(tx, new EmailAddress(ADA))).orElseThrow();
    place.administration.setPassword(ADA, Optional.empty());

    Optional<Sessions.Started> opened =
        place.database.inTransaction(tx -> sessions.open(tx, checked, VISITOR));

    assertThat(opened).isEmpty();
    assertThat(count("session")).isZero();
  }

  @Test
  void afterFiveWrongPasswordsEvenTheRightOneMustWaitAndThenClearsThem() {
    for (int i = 0; i < 5; i++) {
      assertRefused(
          () -> sessions.signIn(ADA, new Secret("wrong"), VISITOR),
          ErrorCode.UNAUTHORIZED,
          "wrong");
    }
    assertRefused(() -> place.open(ADA), ErrorCode.RATE_LIMITED, "try again in 1 s");
    assertThat(sessions.signIn(ADA, PASSWORD, new Sessions.Visitor("10.0.0.2", "")).who().email())
        .as("from elsewhere")
        .isEqualTo(ADA);
    clock.advance(Duration.ofSeconds(1));
    place.open(ADA);

    assertRefused(
        () -> sessions.signIn(ADA, new Secret("wrong"), VISITOR), ErrorCode.UNAUTHORIZED, "wrong");
    assertThat(place.open(ADA).who().email()).isEqualTo(ADA);
  }

  @Test
  void whoHasSignedInWithABrowserIsNotKeptOutThereByOthersWhoGuessHisPassword() {
    Sessions.Visitor home = knownBrowser();
    keepOut();

    assertThat(sessions.signIn(ADA, PASSWORD, home).who().email()).isEqualTo(ADA);
    assertThat(place.signIn(ADA).email()).as("it clears what counted for him").isEqualTo(ADA);
  }

  @Test
  void aBrowserIsKnownUnderTheTokenOfTheLastSignInForAllOfItsUsers() {
    place.user(account.id(), "bob@example.org", Role.MEMBER);
    Sessions.Visitor first = knownBrowser();
    Sessions.Visitor second = with(sessions.signIn("bob@example.org", PASSWORD, first).browser());
    keepOut();

    assertRefused(() -> sessions.signIn(ADA, PASSWORD, first), ErrorCode.RATE_LIMITED, "try again");
    assertThat(sessions.signIn(ADA, PASSWORD, second).who().email()).isEqualTo(ADA);
  }

  @Test
  void aBrowserThatOthersKnowIsAStrangersForWhoHasNotSignedInThere() {
    place.user(account.id(), "bob@example.org", Role.MEMBER);
    Sessions.Visitor bobs = with(sessions.signIn("bob@example.org", PASSWORD, VISITOR).browser());
    keepOut();

    assertRefused(() -> sessions.signIn(ADA, PASSWORD, bobs), ErrorCode.RATE_LIMITED, "try again");
  }

  @Test
  void aPasswordThatTheOperatorSetsMakesAllBrowsersStrange() {
    Sessions.Visitor home = knownBrowser();
    Secret chosen = place.administration.setPassword(ADA, Optional.empty());
    keepOut();

    assertRefused(() -> sessions.signIn(ADA, chosen, home), ErrorCode.RATE_LIMITED, "try again");
  }

  @Test
  void aBrowserIsKnownForAYear() {
    Sessions.Visitor home = knownBrowser();
    clock.advance(Duration.ofDays(365).minusSeconds(1));
    sessions.forgetOld();
    assertThat(count("known_browser")).isEqualTo(1);
    clock.advance(Duration.ofSeconds(1));
    keepOut();

    assertRefused(() -> sessions.signIn(ADA, PASSWORD, home), ErrorCode.RATE_LIMITED, "try again");
    sessions.forgetOld();
    assertThat(count("known_browser")).isZero();
  }

  @Test
  void theTokenOfABrowserIsNotInTheStoreAndOpensNothing() {
    Secret browser = place.open(ADA).browser();

    String stored =
        place.database.read(
            tx -> tx.createQuery("SELECT b::text FROM known_browser b").mapTo(String.class).one());
    assertThat(stored).doesNotContain(browser.reveal());
    assertThat(sessions.find(browser)).isEmpty();
  }

  @Test
  void signInsAtOnceAreCountedBeforeTheirPasswordsAreChecked() throws Exception {
    List<ErrorCode> refusals =
        AtOnce.run(12, () -> refusal(() -> sessions.signIn(ADA, new Secret("wrong"), VISITOR)));

    assertThat(refusals).filteredOn(ErrorCode.UNAUTHORIZED::equals).hasSize(5);
    assertThat(refusals).filteredOn(ErrorCode.RATE_LIMITED::equals).hasSize(7);
  }

  @Test
  void aSessionIsKnownToLastWithoutThatBeingAUse() {
    Sessions.Started started = place.open(ADA);
    clock.advance(Duration.ofDays(13));
    assertThat(sessions.lasts(started.who().session())).isTrue();
    clock.advance(Duration.ofDays(1));

    assertThat(sessions.lasts(started.who().session())).isFalse();
    assertThat(sessions.lasts(SessionId.next())).isFalse();
  }

  @Test
  void whereTooManySignInAtOnceOthersAreToTryAgainAndNothingIsCounted() {
    Sessions busy = new Sessions(place.database, new PasswordGate(0, Duration.ZERO), clock);

    for (int i = 0; i < 20; i++) {
      assertRefused(() -> busy.signIn(ADA, PASSWORD, VISITOR), ErrorCode.UNAVAILABLE, "try again");
    }

    assertThat(sessions.find(place.open(ADA).token())).isPresent();
  }

  @Test
  void formsOfASessionCarryWhatNoOtherSessionHas() {
    Secret token = place.open(ADA).token();
    String csrf = Sessions.csrf(token);

    assertThat(csrf).matches("[0-9a-f]{64}").doesNotContain(token.reveal());
    assertThat(Sessions.isCsrf(token, csrf)).isTrue();
    assertThat(Sessions.isCsrf(token, csrf.substring(1))).isFalse();
    assertThat(Sessions.isCsrf(token, "")).isFalse();
    assertThat(Sessions.isCsrf(place.open(ADA).token(), csrf)).isFalse();
  }

  @Test
  void signInsAndTheirEndsAreInTheAuditLog() {
    SignedIn ada = place.signIn(ADA);
    sessions.endOthers(ada);
    sessions.end(ada);

    assertThat(place.entries(account.id()))
        .extracting(entry -> entry.actor() + " " + entry.action() + " " + entry.subject())
        .containsExactly(
            "ada@example.org session.sign_in " + ada.session(),
            "ada@example.org session.end_others " + ada.user(),
            "ada@example.org session.end " + ada.session());
  }

  @Test
  void whoIsSignedOutWritesNothingIntoTheAuditLog() {
    SignedIn ada = place.signIn(ADA);
    sessions.end(ada);

    assertRefused(
        () -> place.audit.write(account.id(), new Actor.User(ada), "env_vars.reveal", "prj_1", ""),
        ErrorCode.UNAUTHORIZED,
        "sign in again");
  }

  @Test
  void sessionsThatHaveEndedAndOldGuessesAreDeleted() {
    place.open(ADA);
    IntStream.range(0, 3)
        .forEach(i ->
            assertRefused(
                () -> sessions.signIn(ADA, new Secret("wrong"), VISITOR),
                ErrorCode.UNAUTHORIZED,
                "wrong"));
    clock.advance(Duration.ofDays(14));
    Secret token = place.open(ADA).token();

    sessions.forgetOld();

    assertThat(count("session")).isEqualTo(1);
    assertThat(sessions.find(token)).isPresent();
    clock.advance(Duration.ofHours(1));
    sessions.forgetOld();
    assertThat(count("sign_in_failure")).isZero();
  }

  /** One that Ada has signed in with. */
  private Sessions.Visitor knownBrowser() {
    return with(place.open(ADA).browser());
  }

  private static Sessions.Visitor with(Secret browser) {
    return new Sessions.Visitor(VISITOR.address(), "", Optional.empty(), Optional.of(browser));
  }

  /** Others guess Ada's password, from many addresses. */
  private void keepOut() {
    Guesses guesses = new Guesses(place.database, clock);
    for (int i = 0; i < 100; i++) {
      guesses.count(Guesser.stranger(new EmailAddress(ADA), "10.0.1." + i));
    }
  }

  private static ErrorCode refusal(Runnable work) {
    try {
      work.run();
    } catch (RequestException e) {
      return e.code();
    }
    throw new AssertionError("nothing was refused");
  }

  private int count(String table) {
    return place.database.read(
        tx -> tx.createQuery("SELECT count(*) FROM " + table).mapTo(Integer.class).one());
  }
}
