package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.dashboard.DashboardPlace.Browser;
import dev.slipway.dashboard.DashboardPlace.Shown;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SignInCookiesTest {
  private static final DashboardPlace PLACE = new DashboardPlace();

  @AfterAll
  static void close() {
    PLACE.close();
  }

  @Test
  void theBrowserIsKnownForAYearByACookieThatScriptsAndOtherSitesCannotUse() {
    Shown in = PLACE.new Browser().signIn(PLACE.addUser(Role.VIEWER), DashboardPlace.password());

    List<String> cookies = in.answer().headers().allValues("Set-Cookie");
    assertThat(cookies).hasSize(2);
    assertThat(cookies)
        .filteredOn(it -> it.matches("slipway-browser=[0-9A-Za-z]{32};.*"))
        .singleElement()
        .asString()
        .contains("Max-Age=31536000", "HTTPOnly", "SameSite=Lax", "Path=/")
        .doesNotContain("Domain");
  }

  @Test
  void signingInAgainAndANewPasswordMakeTheEarlierCookieWorthless() {
    String email = PLACE.addUser(Role.MEMBER);
    Browser browser = PLACE.new Browser();
    String first = session(browser.signIn(email, DashboardPlace.password()));
    String second = session(browser.signIn(email, DashboardPlace.password()));
    assertThat(statusWith(first)).isEqualTo(303);
    assertThat(statusWith(second)).isEqualTo(200);

    String third =
        session(
            browser.post(
                "/settings/password",
                Map.of(
                    "current_password",
                    DashboardPlace.password(),
                    "new_password",
                    "another password")));

    assertThat(statusWith(second)).isEqualTo(303);
    assertThat(statusWith(third)).isEqualTo(200);
  }

  @Test
  void whoWasInWithABrowserComesInThereWhileOthersAreToWait() {
    String email = PLACE.addUser(Role.MEMBER);
    Browser known = PLACE.new Browser();
    known.signIn(email, DashboardPlace.password());
    known.get("/projects");
    for (int i = 0; i < 5; i++) {
      assertThat(PLACE.new Browser().signIn(email, "wrong").status()).isEqualTo(401);
    }

    Shown stranger = PLACE.new Browser().signIn(email, DashboardPlace.password());
    assertThat(stranger.status()).isEqualTo(429);
    assertThat(stranger.text()).contains("try again in");
    assertThat(known.signIn(email, DashboardPlace.password()).status()).isEqualTo(303);
  }

  /** The cookie of the session that it begins. */
  private static String session(Shown answer) {
    return answer.answer().headers().allValues("Set-Cookie").stream()
        .filter(it -> it.startsWith("slipway="))
        .map(it -> it.substring(0, it.indexOf(';')))
        .findFirst()
        .orElseThrow();
  }

  private static int statusWith(String cookie) {
    HttpRequest request =
        HttpRequest.newBuilder(PLACE.uri("/settings")).header("Cookie", cookie).build();
    return PLACE.new Browser().send(request).status();
  }
}
