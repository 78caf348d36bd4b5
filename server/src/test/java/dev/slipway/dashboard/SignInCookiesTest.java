package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.dashboard.DashboardPlace.Browser;
import dev.slipway.dashboard.DashboardPlace.Shown;
import java.util.List;
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
}
