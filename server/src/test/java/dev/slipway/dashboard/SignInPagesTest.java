package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
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

  @Test
  void whatIsMalformedIsTheirFaultAndNotOurs() {
    DashboardPlace.Browser browser = PLACE.owner();

    for (String path : List.of("/sign-in?x=%zz", "/projects?cursor=%zz")) {
      assertThat(raw(path)).as(path).startsWith("HTTP/1.1 400");
    }
    assertThat(browser.get("/settings/users/a%00b").status()).isEqualTo(404);
    assertThat(browser.get("/projects?cursor=%00").status()).isEqualTo(404);
  }

  @Test
  void aLargeBodyOfWhoeverComesIsNotTakenIn() {
    String large = "email=a%40example.org&password=" + "x".repeat(1 << 20);
    HttpRequest signIn =
        HttpRequest.newBuilder(PLACE.uri("/sign-in"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(large))
            .build();
    HttpRequest form =
        HttpRequest.newBuilder(PLACE.uri("/settings/keys"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(large))
            .build();

    assertThat(PLACE.new Browser().send(signIn).status()).isEqualTo(413);
    assertThat(PLACE.new Browser().send(form).location()).isEqualTo("/dashboard/sign-in");
  }

  @Test
  void aStreamIsForPagesOfOursAlone() {
    DashboardPlace.Browser browser = PLACE.owner();
    HttpRequest foreign =
        HttpRequest.newBuilder(PLACE.uri("/deployments/dep_x/log"))
            .header("Sec-Fetch-Site", "same-site")
            .build();

    DashboardPlace.Shown refused = browser.send(foreign);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body()).contains("\"code\":\"forbidden\"");
    assertThat(PLACE.new Browser().get("/deployments/dep_x/log").status()).isEqualTo(401);
  }

  /** The head of the answer to what no client of this kind would send. */
  private static String raw(String path) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), PLACE.port())) {
      String request =
          "GET /dashboard%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
              .formatted(path);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
