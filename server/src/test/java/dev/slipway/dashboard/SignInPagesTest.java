package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SignInPagesTest {
  private static final DashboardPlace PLACE = new DashboardPlace();

  @AfterAll
  static void close() {
    PLACE.close();
  }

  @Test
  void whoIsNotSignedInIsSentToTheSignInPageAndBackAfterwards() {
    DashboardPlace.Browser browser = PLACE.new Browser();
    String wanted = "/dashboard/settings/keys?x=1";

    assertThat(browser.get("/settings/keys?x=1").location())
        .isEqualTo("/dashboard/sign-in?next=%2Fdashboard%2Fsettings%2Fkeys%3Fx%3D1");
    assertThat(browser.get("/sign-in?next=%2Fdashboard%2Fsettings%2Fkeys%3Fx%3D1").body())
        .contains("name=\"next\" value=\"" + wanted + "\"");
    String email = PLACE.addUser(Role.MEMBER);
    DashboardPlace.Shown in =
        browser.send(
            PLACE.form(
                "/sign-in",
                Map.of("email", email, "password", DashboardPlace.password(), "next", wanted)));
    assertThat(in.status()).isEqualTo(303);
    assertThat(in.location()).isEqualTo(wanted);
  }

  @Test
  void theCookieIsOutOfReachOfScriptsAndOtherSites() {
    String email = PLACE.addUser(Role.VIEWER);
    DashboardPlace.Shown in = PLACE.new Browser().signIn(email, DashboardPlace.password());

    assertThat(in.header("Set-Cookie"))
        .startsWith("slipway=")
        .containsIgnoringCase("HttpOnly")
        .contains("SameSite=Lax", "Path=/")
        .doesNotContain("Domain");
  }

  @Test
  void aWrongPasswordIsRefusedAndTheAddressStays() {
    String email = PLACE.addUser(Role.OWNER);
    DashboardPlace.Shown refused = PLACE.new Browser().signIn(email, "wrong");

    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.body()).contains("value=\"" + email + "\"").doesNotContain("wrong\"");
    assertThat(refused.header("Set-Cookie")).isEmpty();
  }

  @Test
  void afterSigningInNobodyIsSentToAnotherSite() {
    String email = PLACE.addUser(Role.OWNER);
    for (String next :
        List.of(
            "https://evil.example/", "//evil.example", "/dashboard/../x", "/dashboard/\\evil")) {
      DashboardPlace.Shown in =
          PLACE.new Browser()
              .send(
                  PLACE.form(
                      "/sign-in",
                      Map.of("email", email, "password", DashboardPlace.password(), "next", next)));
      assertThat(in.location()).as(next).isEqualTo("/dashboard/projects");
    }
  }

  @Test
  void aFormWithoutTheTokenOfTheSessionOrFromAnotherSiteChangesNothing() {
    DashboardPlace.Browser browser = PLACE.owner();
    Map<String, String> theme = Map.of("theme", "dark");

    assertThat(browser.send(PLACE.form("/theme", theme)).status()).isEqualTo(403);
    assertThat(
            browser
                .send(PLACE.form("/theme", Map.of("theme", "dark", "csrf", "0".repeat(64))))
                .status())
        .isEqualTo(403);
    assertThat(
            browser
                .send(PLACE.form("/theme", Map.of("theme", "dark", "csrf", PLACE.owner().token())))
                .status())
        .as("the token of another session")
        .isEqualTo(403);
    HttpRequest foreign =
        HttpRequest.newBuilder(PLACE.uri("/theme"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Origin", "https://evil.example")
            .POST(HttpRequest.BodyPublishers.ofString("theme=dark&csrf=" + browser.token()))
            .build();
    assertThat(browser.send(foreign).status()).isEqualTo(403);
    assertThat(browser.post("/theme", theme).status()).isEqualTo(303);
  }

  @Test
  void signingOutEndsTheSession() {
    DashboardPlace.Browser browser = PLACE.owner();

    assertThat(browser.post("/sign-out", Map.of()).location())
        .isEqualTo("/dashboard/sign-in?done=signed-out");
    assertThat(browser.get("/projects").location()).startsWith("/dashboard/sign-in");
  }

  @Test
  void aPageThatIsNotThereSaysSoInTheSameLook() {
    DashboardPlace.Shown missing = PLACE.owner().get("/no-such-page");

    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.text()).contains("There is nothing here", "Projects");
  }

  @Test
  void everyPageForbidsWhatItDoesNotNeed() {
    DashboardPlace.Shown page = PLACE.new Browser().get("/sign-in");

    assertThat(page.header("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(page.header("Cache-Control")).isEqualTo("no-store");
  }
}
