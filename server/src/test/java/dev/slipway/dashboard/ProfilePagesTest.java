package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.dashboard.DashboardPlace.Browser;
import dev.slipway.dashboard.DashboardPlace.Shown;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ProfilePagesTest {
  private static final DashboardPlace PLACE = new DashboardPlace();
  private static final Pattern END = Pattern.compile("(/settings/sessions/ses_[0-9a-z]+/end)");

  @AfterAll
  static void close() {
    PLACE.close();
  }

  @Test
  void aUserSeesWhoHeIsAndTheSessionThatHeIsIn() {
    Shown page = PLACE.signedIn(PLACE.plane.account, Role.VIEWER).get("/settings");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.text()).contains("Profile", "Viewer", "127.0.0.1", "This one");
    assertThat(page.text()).doesNotContain("Sign out all others");
    assertThat(page.body().length()).isLessThan(100_000);
  }

  @Test
  void ofManySessionsTheNewestAreListedWithTheOneThatAsks() {
    String email = PLACE.addUser(Role.MEMBER);
    Browser browser = PLACE.new Browser();
    browser.signIn(email, DashboardPlace.password());
    PLACE.plane.database.useTransaction(tx ->
        tx.execute(
            """
            INSERT INTO session
            SELECT s.id || n, s.user_id, sha256((s.id || n)::bytea), s.address, s.user_agent,
                   s.created_at, s.last_seen_at - n * interval '1 minute'
              FROM session s JOIN app_user u ON u.id = s.user_id, generate_series(1, 30) n
             WHERE u.email = ?
            """,
            email));

    Shown page = browser.get("/settings");
    assertThat(page.text()).contains("This one", "And 6 more, last seen before these.");
    assertThat(page.body().split("/end\"", -1)).hasSize(25);
  }

  @Test
  void anEntryThatARoleMayNotOpenIsNotOffered() {
    String viewers = PLACE.signedIn(PLACE.plane.account, Role.VIEWER).get("/settings").body();

    assertThat(viewers).contains("/settings/users\"", "/settings/usage\"", "/settings/server\"");
    assertThat(viewers).doesNotContain("/settings/keys", "/settings/audit");
    assertThat(PLACE.owner().get("/settings").body())
        .contains("/settings/keys\"", "/settings/audit\"");
  }

  @Test
  void theNameIsSavedAndShownEscaped() {
    Browser browser = PLACE.signedIn(PLACE.plane.account, Role.VIEWER);
    browser.get("/settings");

    Shown saved = browser.post("/settings/profile", Map.of("name", "<script>alert(1)</script>"));

    assertThat(saved.location()).isEqualTo("/dashboard/settings?done=profile-saved");
    Shown page = browser.get("/settings?done=profile-saved");
    assertThat(page.text()).contains("Your name is saved.");
    assertThat(page.body())
        .contains("value=\"&lt;script>alert(1)&lt;/script>\"")
        .doesNotContain("<script>alert");
  }

  @Test
  void aNameThatIsRefusedIsStillInTheForm() {
    Browser browser = PLACE.owner();
    browser.get("/settings");

    Shown refused = browser.post("/settings/profile", Map.of("name", "x".repeat(101)));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("at most 100 characters");
    assertThat(refused.body()).contains("value=\"" + "x".repeat(101) + "\"");
  }

  @Test
  void aNewPasswordSignsOutWhereverElseTheUserIs() {
    String email = PLACE.addUser(Role.MEMBER);
    Browser other = PLACE.new Browser();
    other.signIn(email, DashboardPlace.password());
    Browser browser = PLACE.new Browser();
    browser.signIn(email, DashboardPlace.password());
    browser.get("/settings");

    Shown changed =
        browser.post(
            "/settings/password",
            Map.of("current_password", DashboardPlace.password(), "new_password", " a new one "));

    assertThat(changed.location()).isEqualTo("/dashboard/settings?done=password-changed");
    assertThat(browser.get("/settings").status()).isEqualTo(200);
    assertThat(other.get("/settings").location()).startsWith("/dashboard/sign-in");
    assertThat(PLACE.new Browser().signIn(email, " a new one ").status()).isEqualTo(303);
  }

  @Test
  void aWrongOldPasswordIsRefusedAndNoPasswordIsInThePage() {
    Browser browser = PLACE.owner();
    browser.get("/settings");

    Shown refused =
        browser.post(
            "/settings/password",
            Map.of("current_password", "not-the-old-one", "new_password", "a-new-password"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("The old password is wrong.");
    assertThat(refused.body()).doesNotContain("not-the-old-one", "a-new-password");
  }

  @Test
  void sessionsAreEndedOneByOneOrAllOthersAtOnce() {
    String email = PLACE.addUser(Role.MEMBER);
    Browser first = signIn(email, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0");
    Browser second = signIn(email, "<b>strange</b>");
    Browser third = signIn(email, "curl/8.14");

    Shown page = third.get("/settings");
    assertThat(page.text()).contains("Firefox on Linux", "<b>strange</b>", "curl");
    assertThat(page.body()).doesNotContain("<b>strange");
    Matcher end = END.matcher(page.body());
    assertThat(end.find()).isTrue();
    assertThat(third.post(end.group(1), Map.of()).location()).endsWith("?done=session-ended");
    assertThat(third.get("/settings").body().split("/end\"", -1)).hasSize(2);
    assertThat(third.post("/settings/sessions/end-others", Map.of()).location())
        .endsWith("?done=sessions-ended");

    assertThat(first.get("/settings").status()).isEqualTo(303);
    assertThat(second.get("/settings").status()).isEqualTo(303);
    assertThat(third.get("/settings").body()).doesNotContain("/end\"");
  }

  @Test
  void aSessionOfSomebodyElseIsNotThere() {
    Browser browser = PLACE.owner();
    browser.get("/settings");

    assertThat(browser.post("/settings/sessions/ses_1/end", Map.of()).status()).isEqualTo(404);
  }

  private static Browser signIn(String email, String userAgent) {
    Browser browser = PLACE.new Browser();
    HttpRequest plain =
        PLACE.form("/sign-in", Map.of("email", email, "password", DashboardPlace.password()));
    HttpRequest request =
        HttpRequest.newBuilder(plain, (_, _) -> true).header("User-Agent", userAgent).build();
    assertThat(browser.send(request).status()).isEqualTo(303);
    browser.get("/settings");
    return browser;
  }
}
