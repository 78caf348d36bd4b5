package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.core.AccountId;
import dev.slipway.dashboard.DashboardPlace.Browser;
import dev.slipway.dashboard.DashboardPlace.Shown;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class UserPagesTest {
  private static final DashboardPlace PLACE = new DashboardPlace();
  private static final Pattern LINK =
      Pattern.compile("data-copy=\"[^\"]*/dashboard(/invitation\\?token=([0-9A-Za-z]{32}))\"");
  private static final Pattern ROLE = Pattern.compile("(/settings/users/usr_[0-9a-z]+)/role");
  private static final Pattern WITHDRAW =
      Pattern.compile("(/settings/invitations/inv_[0-9a-z]+/revoke)");

  private final AccountId account = PLACE.plane.addAccount();
  private final Browser owner = PLACE.signedIn(account, Role.OWNER);

  @AfterAll
  static void close() {
    PLACE.close();
  }

  @Test
  void whoIsInvitedChoosesNameAndPasswordAndIsSignedIn() {
    Matcher link = invite("eve@example.net", "viewer");
    Browser eve = PLACE.new Browser();

    Shown offer = eve.get(link.group(1));
    assertThat(offer.status()).isEqualTo(200);
    assertThat(offer.text()).contains("has invited you as a viewer");
    assertThat(offer.body()).contains("value=\"eve@example.net\"");
    assertThat(offer.header("Referrer-Policy")).isEqualTo("same-origin");
    Shown in =
        eve.send(
            PLACE.form(
                "/invitation",
                Map.of(
                    "token", link.group(2), "name", "Eve", "password", DashboardPlace.password())));

    assertThat(in.location()).isEqualTo("/dashboard/projects");
    assertThat(eve.get("/settings").text()).contains("eve@example.net", "Viewer");
    assertThat(owner.get("/settings/users").text()).contains("Eve", "Nobody is invited.");
    assertThat(PLACE.new Browser().get(link.group(1)).status()).as("once").isEqualTo(404);
  }

  @Test
  void aPasswordThatIsTooShortIsRefusedAndTheNameStays() {
    Matcher link = invite("mallory@example.net", "member");

    Shown refused =
        PLACE.new Browser()
            .send(
                PLACE.form(
                    "/invitation",
                    Map.of("token", link.group(2), "name", "Mal", "password", "short-1")));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("it must have 8 to 1024");
    assertThat(refused.body()).contains("value=\"Mal\"").doesNotContain("short-1");
  }

  @Test
  void anInvitationThatIsWithdrawnOpensNothing() {
    Matcher link = invite("trent@example.net", "member");
    Shown page = owner.get("/settings/users");
    assertThat(page.text()).contains("trent@example.net");
    assertThat(page.body()).as("shown once").doesNotContain(link.group(2));
    Matcher withdraw = WITHDRAW.matcher(page.body());
    assertThat(withdraw.find()).isTrue();

    assertThat(owner.post(withdraw.group(1), Map.of()).location())
        .isEqualTo("/dashboard/settings/users?done=invitation-revoked");

    Shown gone = PLACE.new Browser().get(link.group(1));
    assertThat(gone.status()).isEqualTo(404);
    assertThat(gone.text()).contains("This invitation is no longer valid");
    assertThat(PLACE.new Browser().get("/invitation").status()).isEqualTo(404);
  }

  @Test
  void anAddressThatIsRefusedIsStillInTheForm() {
    owner.get("/settings/users");

    Shown refused =
        owner.post("/settings/invitations", Map.of("email", "<b>nobody</b>", "role", "owner"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).doesNotContain("<b>nobody");
    assertThat(refused.text()).contains("<b>nobody</b>");
    assertThat(refused.body()).contains("<option value=\"owner\" selected>");
    assertThat(
            owner
                .post("/settings/invitations", Map.of("email", "a@example.net", "role", "king"))
                .status())
        .isEqualTo(400);
  }

  @Test
  void aRoleIsChangedAndAUserRemoved() {
    Browser member = PLACE.signedIn(account, Role.MEMBER);
    Matcher user = ROLE.matcher(owner.get("/settings/users").body());
    assertThat(user.find()).as("the one who is not oneself").isTrue();

    assertThat(owner.post(user.group(1) + "/role", Map.of("role", "viewer")).location())
        .isEqualTo("/dashboard/settings/users?done=user-changed");
    assertThat(member.get("/settings").text()).contains("Viewer");

    assertThat(owner.post(user.group(1) + "/remove", Map.of()).location())
        .isEqualTo("/dashboard/settings/users?done=user-removed");
    assertThat(member.get("/settings").location()).startsWith("/dashboard/sign-in");
  }

  @Test
  void whoeverRemovesOrDemotesAnOwnerIsToldOfTheKeysThatStayAndWhereToRevokeThem() {
    Browser other = PLACE.signedIn(account, Role.OWNER);
    other.get("/settings/keys");
    other.post("/settings/keys", Map.of("name", "<i>nightly</i>"));
    owner.get("/settings/keys");
    owner.post("/settings/keys", Map.of("name", "of-mine"));

    Shown page = owner.get("/settings/users");
    assertThat(page.text().split("made go on working: <i>nightly</i> \\.", -1))
        .as("when removed and when demoted")
        .hasSize(3);
    assertThat(page.body()).doesNotContain("<i>nightly", "data-autosubmit");
    Matcher user = ROLE.matcher(page.body());
    assertThat(user.find()).isTrue();
    Shown demoted = owner.post(user.group(1) + "/role", Map.of("role", "member"));
    assertThat(demoted.location())
        .isEqualTo("/dashboard/settings/users?done=user-changed-not-keys");
    Shown told = owner.get("/settings/users?done=user-changed-not-keys");
    assertThat(told.text()).contains("API keys that this user made as an owner still work");
    assertThat(told.body()).contains("<a href=\"/dashboard/settings/keys\">API keys</a>");
    assertThat(owner.post(user.group(1) + "/remove", Map.of()).location())
        .isEqualTo("/dashboard/settings/users?done=user-removed-not-keys");
  }

  @Test
  void whoIsNoOwnerSeesTheUsersAndIsOfferedNothing() {
    Browser member = PLACE.signedIn(account, Role.MEMBER);
    invite("peggy@example.net", "viewer");

    Shown page = member.get("/settings/users");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.text()).contains("owner-").doesNotContain("peggy@example.net", "Invite");
    assertThat(page.body()).doesNotContain("/role\"", "/remove\"");
    assertThat(
            member
                .post("/settings/invitations", Map.of("email", "x@example.net", "role", "owner"))
                .status())
        .isEqualTo(403);
  }

  @Test
  void usersOfAnotherAccountAreOutOfReach() {
    PLACE.signedIn(account, Role.MEMBER);
    Matcher user = ROLE.matcher(owner.get("/settings/users").body());
    assertThat(user.find()).isTrue();
    Browser stranger = PLACE.owner();
    stranger.get("/settings/users");

    assertThat(stranger.post(user.group(1) + "/remove", Map.of()).status()).isEqualTo(403);
    assertThat(stranger.post(user.group(1) + "/role", Map.of("role", "owner")).status())
        .isEqualTo(403);
  }

  /** The link's path and its token. */
  private Matcher invite(String email, String role) {
    owner.get("/settings/users");
    Shown made = owner.post("/settings/invitations", Map.of("email", email, "role", role));
    assertThat(made.status()).isEqualTo(200);
    Matcher link = LINK.matcher(made.body());
    assertThat(link.find()).as(made.body()).isTrue();
    return link;
  }
}
