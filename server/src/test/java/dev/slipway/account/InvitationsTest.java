package dev.slipway.account;

import static dev.slipway.account.AccountPlace.PASSWORD;
import static dev.slipway.account.AccountPlace.VISITOR;
import static dev.slipway.account.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.slipway.core.AccountId;
import dev.slipway.core.AtOnce;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.InvitationId;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InvitationsTest {
  private static final String ADA = "ada@example.org";
  private static final String BOB = "bob@example.org";

  private final AccountPlace place = new AccountPlace();
  private final Invitations invitations = place.invitations;
  private final AccountId account = place.account(ADA).account().id();
  private final SignedIn ada = place.signIn(ADA);

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void whoAcceptsIsAUserWithThatRoleAndSignedIn() {
    Invitations.Made made = invitations.invite(ada, " Bob@example.org", Role.MEMBER);

    Sessions.Started bob = invitations.accept(made.token(), " Bob ", PASSWORD, VISITOR);

    assertThat(place.sessions.find(bob.token())).contains(bob.who());
    assertThat(bob.who().account()).isEqualTo(ada.account());
    assertThat(place.users.list(ada))
        .extracting(Member::email, Member::name, Member::role)
        .containsExactly(tuple(ADA, "", Role.OWNER), tuple("Bob@example.org", "Bob", Role.MEMBER));
    assertThat(place.signIn(BOB).user()).isEqualTo(bob.who().user());
    assertThat(invitations.pending(ada)).isEmpty();
  }

  @Test
  void theTokenShowsWhatItInvitesToAndIsNotInTheStore() {
    Invitations.Made made = invitations.invite(ada, BOB, Role.VIEWER);

    assertThat(invitations.find(made.token())).contains(made.invitation());
    assertThat(invitations.pending(ada)).containsExactly(made.invitation());
    assertThat(made.invitation().invitedBy()).isEqualTo(ADA);
    assertThat(made.token().reveal()).matches("[0-9A-Za-z]{32}");
    String stored =
        place.database.read(
            tx -> tx.createQuery("SELECT i::text FROM invitation i").mapTo(String.class).one());
    assertThat(stored).doesNotContain(made.token().reveal());
  }

  @Test
  void anInvitationWorksOnce() {
    Invitations.Made made = invitations.invite(ada, BOB, Role.MEMBER);
    invitations.accept(made.token(), "", PASSWORD, VISITOR);

    assertUseless(made.token());
  }

  @Test
  void anInvitationWorksOnceHoweverManyAcceptItAtOnce() throws Exception {
    Secret token = invitations.invite(ada, BOB, Role.MEMBER).token();

    List<Boolean> accepted = AtOnce.run(4, () -> isAccepted(token));

    assertThat(Collections.frequency(accepted, true)).isEqualTo(1);
    assertThat(place.users.list(ada)).extracting(Member::email).containsExactly(ADA, BOB);
  }

  @Test
  void anInvitationEndsAfterSevenDays() {
    Invitations.Made made = invitations.invite(ada, BOB, Role.MEMBER);
    place.clock.advance(Duration.ofDays(7).minusMillis(1));
    assertThat(invitations.find(made.token())).isPresent();

    place.clock.advance(Duration.ofMillis(1));

    assertThat(invitations.find(made.token())).isEmpty();
    assertThat(invitations.pending(ada)).isEmpty();
    assertUseless(made.token());
    invitations.forgetOld();
    assertRefused(
        () -> invitations.revoke(ada, made.invitation().id()), ErrorCode.NOT_FOUND, "invitation");
  }

  @Test
  void anInvitationThatIsRevokedCannotBeAccepted() {
    Invitations.Made made = invitations.invite(ada, BOB, Role.MEMBER);

    invitations.revoke(ada, made.invitation().id());

    assertUseless(made.token());
    assertThat(invitations.pending(ada)).isEmpty();
  }

  @Test
  void invitingAnewReplacesWhatIsPending() {
    Invitations.Made first = invitations.invite(ada, BOB, Role.MEMBER);
    Invitations.Made second = invitations.invite(ada, "BOB@example.org", Role.VIEWER);

    assertThat(invitations.pending(ada)).containsExactly(second.invitation());
    assertUseless(first.token());
    assertThat(invitations.accept(second.token(), "", PASSWORD, VISITOR).who().role())
        .isEqualTo(Role.VIEWER);
  }

  @Test
  void anAddressThatIsAUsersOfTheAccountIsNotInvited() {
    place.user(account, BOB, Role.VIEWER);

    assertRefused(
        () -> invitations.invite(ada, "Bob@Example.org", Role.MEMBER),
        ErrorCode.CONFLICT,
        "Bob@Example.org");
    assertRefused(
        () -> invitations.invite(ada, "bob", Role.MEMBER), ErrorCode.INVALID_REQUEST, "e-mail");
  }

  @Test
  void whetherAnAddressIsAUsersOfAnotherAccountIsToldToWhoeverHasTheLinkAlone() {
    AccountId elsewhere = place.account(BOB).account().id();

    Invitations.Made made = invitations.invite(ada, BOB, Role.MEMBER);

    assertThat(invitations.pending(ada)).containsExactly(made.invitation());
    assertNotMadeTwice(made, elsewhere);
  }

  @Test
  void anAddressThatBecameAUsersMeanwhileIsNotMadeOneTwice() {
    Invitations.Made made = invitations.invite(ada, BOB, Role.MEMBER);
    AccountId elsewhere = place.account(BOB).account().id();

    assertNotMadeTwice(made, elsewhere);
  }

  @Test
  void whatOneChoosesIsCheckedBeforeTheInvitationIsUsed() {
    Invitations.Made made = invitations.invite(ada, BOB, Role.MEMBER);

    assertRefused(
        () -> invitations.accept(made.token(), "", new Secret("short"), VISITOR),
        ErrorCode.INVALID_REQUEST,
        "5 characters");
    assertRefused(
        () -> invitations.accept(made.token(), "two\nlines", PASSWORD, VISITOR),
        ErrorCode.INVALID_REQUEST,
        "name");
    assertThat(invitations.find(made.token())).isPresent();
  }

  @ParameterizedTest
  @EnumSource(
      value = Role.class,
      names = {"MEMBER", "VIEWER"})
  void onlyOwnersInvite(Role role) {
    place.user(account, BOB, role);
    SignedIn bob = place.signIn(BOB);
    InvitationId pending = invitations.invite(ada, "cy@example.org", Role.MEMBER).invitation().id();

    assertRefused(
        () -> invitations.invite(bob, "eve@example.org", Role.OWNER), ErrorCode.FORBIDDEN, "owner");
    assertRefused(() -> invitations.pending(bob), ErrorCode.FORBIDDEN, "owner");
    assertRefused(() -> invitations.revoke(bob, pending), ErrorCode.FORBIDDEN, "owner");
  }

  @Test
  void invitationsOfAnotherAccountAreOutOfReach() {
    Invitations.Made made = invitations.invite(ada, BOB, Role.MEMBER);
    place.account("eve@example.org");
    SignedIn eve = place.signIn("eve@example.org");

    assertRefused(
        () -> invitations.revoke(eve, made.invitation().id()),
        ErrorCode.FORBIDDEN,
        made.invitation().id().value());
    assertThat(invitations.pending(eve)).isEmpty();
    assertThat(invitations.pending(ada)).hasSize(1);
  }

  @Test
  void whoIsNoOwnerAnyMoreHasInvitedNobody() {
    place.user(account, BOB, Role.OWNER);
    place.user(account, "cy@example.org", Role.OWNER);
    SignedIn bob = place.signIn(BOB);
    SignedIn cy = place.signIn("cy@example.org");
    Invitations.Made ofBob = invitations.invite(bob, "bob2@example.org", Role.OWNER);
    Invitations.Made ofCy = invitations.invite(cy, "cy2@example.org", Role.OWNER);

    place.users.changeRole(ada, bob.user(), Role.VIEWER);
    place.users.remove(ada, cy.user());

    assertUseless(ofBob.token());
    assertUseless(ofCy.token());
  }

  @Test
  void invitationsAreInTheAuditLog() {
    Invitations.Made revoked = invitations.invite(ada, "eve@example.org", Role.OWNER);
    invitations.revoke(ada, revoked.invitation().id());
    Invitations.Made made = invitations.invite(ada, BOB, Role.MEMBER);
    invitations.accept(made.token(), "Bob", PASSWORD, VISITOR);

    assertThat(place.entries(account))
        .extracting(AuditEntry::actor, AuditEntry::action, AuditEntry::detail)
        .containsSequence(
            tuple(ADA, "user.invite", "eve@example.org as owner"),
            tuple(ADA, "user.uninvite", "eve@example.org"),
            tuple(ADA, "user.invite", "bob@example.org as member"),
            tuple(BOB, "session.sign_in", "10.0.0.1"),
            tuple(BOB, "user.join", "as member, invited by ada@example.org"));
  }

  private void assertNotMadeTwice(Invitations.Made made, AccountId elsewhere) {
    assertRefused(
        () -> invitations.accept(made.token(), "", PASSWORD, VISITOR), ErrorCode.CONFLICT, BOB);

    assertThat(place.signIn(BOB).account().id()).isEqualTo(elsewhere);
    assertThat(place.users.list(ada)).hasSize(1);
  }

  private void assertUseless(Secret token) {
    assertRefused(
        () -> invitations.accept(token, "", PASSWORD, VISITOR), ErrorCode.NOT_FOUND, "ask for");
  }

  /** False where it was accepted before. */
  private boolean isAccepted(Secret token) {
    try {
      invitations.accept(token, "", PASSWORD, VISITOR);
      return true;
    } catch (RequestException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND);
      return false;
    }
  }
}
