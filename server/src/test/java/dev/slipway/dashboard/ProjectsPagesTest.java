package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.core.AccountId;
import dev.slipway.deployment.Deployment;
import dev.slipway.metric.TestTraffic;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProjectsPagesTest {
  private final DashboardPlace place = new DashboardPlace();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void anAccountWithoutProjectsIsToldHowToBegin() {
    assertThat(place.owner().get("/projects").body())
        .contains("No projects yet", "href=\"/dashboard/new\"");
    assertThat(place.signedIn(place.plane.account, Role.VIEWER).get("/projects").body())
        .contains("No projects yet")
        .doesNotContain("href=\"/dashboard/new\"");
  }

  @Test
  void aCardSaysWhatTheProjectDoesAndWhatWasDeployedLast() {
    Project shop = place.plane.project("shop");
    place.plane.project("idea");
    Deployment live = place.plane.deploy(shop);
    TestTraffic.write(place.plane.database, place.plane.clock, shop.id(), 1234);

    DashboardPlace.Shown page = place.owner().get("/projects");

    assertThat(page.status()).isEqualTo(200);
    assertThat(card(page, shop.id().value()))
        .contains("href=\"http://shop.localhost:8080\"", "shop.localhost:8080")
        .contains("<span class=\"badge ok\">Live</span>")
        .contains("1,234 requests, 24 h", "Node.js", "class=\"line\"")
        .contains(live.code().commit().orElseThrow().message())
        .contains("main", "API", "<time");
    assertThat(page.text()).contains("Not deployed yet", "Nothing was deployed yet");
  }

  @Test
  void aFailureOfWhatServesNotIsShownBesideTheStateOfTheProject() {
    Project shop = place.plane.project("shop");
    place.plane.deploy(shop);
    Deployment next = place.plane.trigger(shop);

    DashboardPlace.Browser browser = place.owner();
    assertThat(card(browser.get("/projects"), shop.id().value()))
        .contains("<span class=\"badge wait\">Queued</span>");
    assertThat(browser.get("/projects/list").body()).contains("hx-trigger=\"every 3s\"");

    place.plane.main.service().cancel(place.plane.account, next.id());
    assertThat(card(browser.get("/projects"), shop.id().value()))
        .contains("<span class=\"badge ok\">Live</span>");
    assertThat(browser.get("/projects/list").body()).contains("hx-trigger=\"every 15s\"");
  }

  @Test
  void moreThanAPageHasThemAllOnceAndThePolledPartStaysOnItsPage() {
    for (int i = 0; i < 30; i++) {
      place.plane.project("p" + i);
    }
    DashboardPlace.Browser browser = place.owner();
    DashboardPlace.Shown first = browser.get("/projects");
    String older = link(first, "next");
    DashboardPlace.Shown second = browser.get(older);

    assertThat(ids(first)).hasSize(24).doesNotContainAnyElementsOf(ids(second));
    assertThat(ids(second)).hasSize(6);
    assertThat(link(second, "prev")).isEqualTo("/projects");
    Matcher polled = Pattern.compile("hx-get=\"/dashboard([^\"]*)\"").matcher(second.body());
    assertThat(polled.find()).isTrue();
    assertThat(ids(browser.get(polled.group(1)))).isEqualTo(ids(second));
    assertThat(first.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(100_000);
  }

  @Test
  void projectsOfOtherAccountsAreNotShown() {
    place.plane.project("secret-shop");
    AccountId other = place.plane.addAccount();

    assertThat(place.signedIn(other, Role.OWNER).get("/projects").body())
        .contains("No projects yet")
        .doesNotContain("secret-shop");
  }

  @Test
  void aHostileMessageIsText() {
    Project shop = place.plane.project("shop");
    Deployment live = place.plane.deploy(shop);
    place.message(live, "<script>alert(1)</script> \"'><img src=x onerror=alert(2)>\u001b[31m");

    String card = card(place.owner().get("/projects"), shop.id().value());
    assertThat(card)
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;")
        .doesNotContain("<script>", "<img");
  }

  private static String card(DashboardPlace.Shown page, String id) {
    Matcher found =
        Pattern.compile("(?s)<li class=\"card proj\" id=\"" + id + "\">.*?</li>")
            .matcher(page.body());
    assertThat(found.find()).as(page.body()).isTrue();
    return found.group();
  }

  private static List<String> ids(DashboardPlace.Shown page) {
    return Pattern.compile("class=\"card proj\" id=\"([^\"]+)\"")
        .matcher(page.body())
        .results()
        .map(it -> it.group(1))
        .toList();
  }

  private static String link(DashboardPlace.Shown page, String rel) {
    Matcher found =
        Pattern.compile("href=\"/dashboard([^\"]*)\" rel=\"" + rel + "\"").matcher(page.body());
    assertThat(found.find()).as(page.body()).isTrue();
    return found.group(1);
  }
}
