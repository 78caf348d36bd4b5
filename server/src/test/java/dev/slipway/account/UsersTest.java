package dev.slipway.account;

import static dev.slipway.account.AccountPlace.PASSWORD;
import static dev.slipway.account.AccountPlace.VISITOR;
import static dev.slipway.account.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.slipway.core.AccountId;
import dev.slipway.core.AtOnce;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsersTest {
  private static final String ADA = "ada@example.org";
  private static final String BOB = "bob@example.org";
  private static final Secret CHOSEN = new Secret("analytical engine");

  private final AccountPlace place = new AccountPlace();
  private final Users users = place.users;
  private final AccountId account = place.account(ADA).account().id();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void theUsersOfAnAccountAreListedWithWhenTheyWereSeen() {
    UserId bob = place.user(account, BOB, Role.VIEWER);
    place.account("eve@example.org");
    place.clock.advance(Duration.ofHours(1));
    SignedIn ada = place.signIn(ADA);

    assertThat(users.list(ada))
        .extracting(Member::id, Member::email, Member::role, Member::lastSeenAt)
        .containsExactly(
            tuple(ada.user(), ADA, Role.OWNER, Optional.of(place.clock.instant())),
            tuple(bob, BOB, Role.VIEWER, Optional.empty()));
  }

  @Test
  void aChangedRoleHoldsForTheVeryNextRequest() {
    UserId id = place.user(account, BOB, Role.VIEWER);
    Sessions.Started bob = place.open(BOB);

    users.changeRole(place.signIn(ADA), id, Role.MEMBER);

    assertThat(place.sessions.find(bob.token())).map(SignedIn::role).contains(Role.MEMBER);
    assertThat(lastEntry())
        .extracting(AuditEntry::action, AuditEntry::subject, AuditEntry::detail)
        .containsExactly("user.role", id.value(), "bob@example.org: member, was viewer");
  }

  @Test
  void whoIsRemovedIsSignedOutAndCannotSignInAgain() {
    UserId id = place.user(account, BOB, Role.MEMBER);
    Sessions.Started bob = place.open(BOB);
    SignedIn ada = place.signIn(ADA);

    users.remove(ada, id);

    assertThat(place.sessions.find(bob.token())).isEmpty();
    assertThat(place.sessions.lasts(bob.who().session())).isFalse();
    assertRefused(() -> place.open(BOB), ErrorCode.UNAUTHORIZED, "wrong");
    assertThat(users.list(ada)).extracting(Member::email).containsExactly(ADA);
    assertThat(lastEntry())
        .extracting(AuditEntry::action, AuditEntry::detail)
        .containsExactly("user.remove", BOB);
  }

  @Test
  void anOwnerWhoIsNotTheLastMayLeave() {
    place.user(account, BOB, Role.OWNER);
    SignedIn ada = place.signIn(ADA);

    users.remove(ada, ada.user());

    assertThat(users.list(place.signIn(BOB))).extracting(Member::email).containsExactly(BOB);
  }

  @Test
  void theLastOwnerCanBeNeitherRemovedNorMadeAnythingElse() {
    place.user(account, BOB, Role.MEMBER);
    SignedIn ada = place.signIn(ADA);

    assertRefused(() -> users.remove(ada, ada.user()), ErrorCode.CONFLICT, "last owner");
    assertRefused(
        () -> users.changeRole(ada, ada.user(), Role.MEMBER), ErrorCode.CONFLICT, "last owner");
    users.changeRole(ada, ada.user(), Role.OWNER);

    assertThat(owners()).isEqualTo(1);
  }

  @Test
  void ofTwoOwnersWhoDemoteEachOtherAtOnceOneStays() throws Exception {
    assertOneStays((by, other) -> users.changeRole(by, other.user(), Role.MEMBER));
  }

  @Test
  void ofTwoOwnersWhoRemoveEachOtherAtOnceOneStays() throws Exception {
    assertOneStays((by, other) -> users.remove(by, other.user()));
  }

  @Test
  void ofTwoOwnersWhoLeaveAtOnceOneStays() throws Exception {
    assertOneStays((by, _) -> users.remove(by, by.user()));
  }

  @ParameterizedTest
  @EnumSource(
      value = Role.class,
      names = {"MEMBER", "VIEWER"})
  void onlyOwnersChangeAndRemoveUsers(Role role) {
    UserId ada = place.signIn(ADA).user();
    place.user(account, BOB, role);
    SignedIn bob = place.signIn(BOB);

    assertRefused(
        () -> users.changeRole(bob, bob.user(), Role.OWNER), ErrorCode.FORBIDDEN, "owner");
    assertRefused(() -> users.remove(bob, ada), ErrorCode.FORBIDDEN, "owner");
    assertThat(users.list(bob)).extracting(Member::role).containsExactly(Role.OWNER, role);
  }

  @Test
  void whoWasAnOwnerWhenTheSessionWasFoundIsAskedAgain() {
    UserId id = place.user(account, BOB, Role.OWNER);
    SignedIn bob = place.signIn(BOB);
    SignedIn ada = place.signIn(ADA);
    users.changeRole(ada, id, Role.VIEWER);

    assertRefused(() -> users.remove(bob, ada.user()), ErrorCode.FORBIDDEN, "owner");
    users.remove(ada, id);
    assertRefused(() -> users.remove(bob, ada.user()), ErrorCode.UNAUTHORIZED, "user");
  }

  @Test
  void usersOfAnotherAccountAreOutOfReach() {
    SignedIn eve = signedInElsewhere();
    SignedIn ada = place.signIn(ADA);

    assertRefused(() -> users.remove(eve, ada.user()), ErrorCode.FORBIDDEN, ada.user().value());
    assertRefused(
        () -> users.changeRole(eve, ada.user(), Role.VIEWER),
        ErrorCode.FORBIDDEN,
        ada.user().value());
    UserId nobody = UserId.next();
    assertRefused(() -> users.remove(eve, nobody), ErrorCode.NOT_FOUND, nobody.value());
  }

  @Test
  void aUserChangesHisOwnName() {
    place.user(account, BOB, Role.VIEWER);
    Sessions.Started bob = place.open(BOB);

    users.rename(bob.who(), "  Bob Ünal ");

    assertThat(place.sessions.find(bob.token())).map(SignedIn::name).contains("Bob Ünal");
    assertThat(users.list(bob.who())).extracting(Member::name).containsExactly("", "Bob Ünal");
  }

  @ParameterizedTest
  @ValueSource(strings = {"two\nlines", "a\u0000b", "\u001b[31mred"})
  void aNameIsOneLine(String name) {
    SignedIn ada = place.signIn(ADA);

    assertRefused(() -> users.rename(ada, name), ErrorCode.INVALID_REQUEST, "one line");
  }

  @Test
  void aNewPasswordEndsAllOtherSessionsAndReplacesTheOldOne() {
    Sessions.Started other = place.open(ADA);
    Sessions.Started own = place.open(ADA);

    Sessions.Started renewed = users.changePassword(own.who(), PASSWORD, CHOSEN);

    assertThat(place.sessions.find(other.token())).isEmpty();
    assertThat(place.sessions.find(own.token())).as("somebody may have copied it").isEmpty();
    assertThat(place.sessions.find(renewed.token())).contains(own.who());
    assertRefused(() -> place.open(ADA), ErrorCode.UNAUTHORIZED, "wrong");
    assertThat(place.sessions.signIn(ADA, CHOSEN, VISITOR).who().user())
        .isEqualTo(own.who().user());
    assertThat(place.entries(account))
        .extracting(AuditEntry::action)
        .contains("user.password")
        .doesNotContain("session.end_others");
  }

  @Test
  void whoIsSignedOutAtThisMomentChangesNoPassword() {
    SignedIn ada = place.signIn(ADA);
    place.sessions.end(ada);

    assertRefused(
        () -> users.changePassword(ada, PASSWORD, CHOSEN), ErrorCode.UNAUTHORIZED, "sign in");

    assertThat(place.open(ADA).who().user()).isEqualTo(ada.user());
  }

  @Test
  void withoutTheOldPasswordThereIsNoNewOne() {
    SignedIn ada = place.signIn(ADA);

    assertRefused(
        () -> users.changePassword(ada, CHOSEN, CHOSEN), ErrorCode.INVALID_REQUEST, "old password");

    assertThat(place.open(ADA).who().user()).isEqualTo(ada.user());
  }

  @Test
  void whoeverTookASessionOverCannotGuessTheOldPasswordForLong() {
    SignedIn ada = place.signIn(ADA);
    for (int i = 0; i < 5; i++) {
      assertRefused(
          () -> users.changePassword(ada, CHOSEN, CHOSEN),
          ErrorCode.INVALID_REQUEST,
          "old password");
    }

    assertRefused(() -> users.changePassword(ada, PASSWORD, CHOSEN), ErrorCode.RATE_LIMITED, "1 s");
    assertThat(place.open(ADA).who().user()).as("may sign in").isEqualTo(ada.user());
  }

  @Test
  void whoIsSignedInChangesThePasswordHoweverManyGuessIt() {
    SignedIn ada = place.signIn(ADA);
    Guesses guesses = new Guesses(place.database, place.clock);
    for (int i = 0; i < 100; i++) {
      guesses.count(Guesser.stranger(new EmailAddress(ADA), "10.0.1." + i));
    }

    Secret browser = users.changePassword(ada, PASSWORD, CHOSEN).browser();

    assertRefused(() -> place.open(ADA), ErrorCode.RATE_LIMITED, "try again");
    Sessions.Visitor here =
        new Sessions.Visitor("10.0.0.1", "", Optional.empty(), Optional.of(browser));
    assertThat(place.sessions.signIn(ADA, CHOSEN, here).who().user()).isEqualTo(ada.user());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 1025})
  void aNewPasswordHasALengthThatKeepsOthersOut(int length) {
    SignedIn ada = place.signIn(ADA);

    assertRefused(
        () -> users.changePassword(ada, PASSWORD, new Secret("x".repeat(length))),
        ErrorCode.INVALID_REQUEST,
        length + " characters");
  }

  @Test
  void ofTwoWhoChangeOnePasswordAtOnceOneDoes() throws Exception {
    List<SignedIn> both = List.of(place.signIn(ADA), place.signIn(ADA));

    List<Boolean> changed =
        AtOnce.each(
            both,
            by -> isDone(() -> users.changePassword(by, PASSWORD, new Secret(by.toString()))));

    assertThat(changed).containsExactlyInAnyOrder(true, false);
    assertThat(users.list(both.getFirst())).hasSize(1);
  }

  private void assertOneStays(BiConsumer<SignedIn, SignedIn> work) throws Exception {
    place.user(account, BOB, Role.OWNER);
    SignedIn ada = place.signIn(ADA);
    SignedIn bob = place.signIn(BOB);

    List<Boolean> done =
        AtOnce.each(
            List.of(ada, bob), by -> isDone(() -> work.accept(by, by.equals(ada) ? bob : ada)));

    assertThat(done).containsExactlyInAnyOrder(true, false);
    assertThat(owners()).isEqualTo(1);
  }

  private static boolean isDone(Runnable work) {
    try {
      work.run();
      return true;
    } catch (RequestException e) {
      assertThat(e.code())
          .isIn(
              ErrorCode.CONFLICT,
              ErrorCode.FORBIDDEN,
              ErrorCode.UNAUTHORIZED,
              ErrorCode.INVALID_REQUEST);
      return false;
    }
  }

  private SignedIn signedInElsewhere() {
    place.account("eve@example.org");
    return place.signIn("eve@example.org");
  }

  private AuditEntry lastEntry() {
    return place.entries(account).getLast();
  }

  private int owners() {
    return place.database.read(tx -> new UserStore().owners(tx, account));
  }
}
