package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.deployment.Deployment;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeploymentListPagesTest {
  private static final String HOSTILE = "</a><script>alert(1)</script> \"quoted\"";

  private final DashboardPlace place = new DashboardPlace();
  private final AtomicInteger projects = new AtomicInteger();
  private Project shop = place.plane.project("first");
  private String timeline = "";

  /** Each test has a project of its own. */
  @BeforeEach
  void begin() {
    shop = place.plane.project("shop-" + projects.incrementAndGet());
    timeline = "/projects/" + shop.id() + "/deployments";
  }

  @AfterAll
  void close() {
    place.close();
  }

  @Test
  void theTimelineOffersARollbackToWhatServedBeforeAndSaysWhatItDoes() {
    Deployment first = place.plane.deploy(shop);
    place.message(first, "Show prices");
    Deployment second = place.plane.deploy(shop);
    Deployment canceled = place.plane.trigger(shop);
    place.plane.main.service().cancel(place.plane.account, canceled.id());

    DashboardPlace.Shown page = place.owner().get(timeline);

    assertThat(page.text())
        .contains(
            "Now " + shop.name() + ".localhost:8080 serves “Begin” (0123456).",
            "After this it will serve “Show prices” (0123456) again, deployed ")
        .contains("Production", "Canceled");
    assertThat(rollbacks(page)).containsExactly(first.id().value());
    assertThat(order(page))
        .containsExactly(canceled.id().value(), second.id().value(), first.id().value());
  }

  @Test
  void whatIsNotKeptAnyMoreIsNotOffered() {
    place.plane.deploy(shop);
    place.plane.deploy(shop);
    place.plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE release SET pruned_at = now() WHERE project_id = ? AND id <> (SELECT d.release_id FROM deployment d JOIN project p ON p.live_deployment_id = d.id WHERE p.id = ?)",
            shop.id().value(),
            shop.id().value()));

    assertThat(rollbacks(place.owner().get(timeline))).isEmpty();
  }

  @Test
  void aRollbackIsCalledByWhatItServesAgain() {
    Deployment first = place.plane.deploy(shop);
    place.message(first, "Show prices");
    place.plane.deploy(shop);
    DashboardPlace.Browser browser = place.owner();

    place.plane.rolledBackTo(place.plane.read(first));

    assertThat(browser.get(timeline).text())
        .contains("Roll back to “Show prices”", "Rolled back")
        .doesNotContain("Deploying on push");
  }

  @Test
  void withoutDeploymentsOneIsOffered() {
    assertThat(place.owner().get(timeline).body())
        .contains("No deployments yet", "commandfor=\"deploy\"");
    assertThat(place.signedIn(place.plane.account, Role.VIEWER).get(timeline).body())
        .contains("No deployments yet")
        .doesNotContain("commandfor=\"deploy\"");
  }

  @Test
  void longTimelinesHavePagesAndAllPagesTogetherEachDeploymentOnce() {
    for (int i = 0; i < 30; i++) {
      place.plane.trigger(shop);
    }
    DashboardPlace.Browser browser = place.owner();
    for (String path : List.of(timeline, "/deployments?status=queued&project_id=" + shop.id())) {
      DashboardPlace.Shown first = browser.get(path);
      DashboardPlace.Shown second = browser.get(link(first, "next"));

      assertThat(order(first)).hasSize(25).doesNotContainAnyElementsOf(order(second));
      assertThat(order(second)).hasSize(5);
      assertThat(browser.get(link(second, "prev")).body()).contains("rel=\"next\"");
      assertThat(first.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(100_000);
    }
  }

  @Test
  void allDeploymentsAreListedAsAskedFor() {
    Project blog = place.plane.project(shop.name() + "-blog");
    Deployment live = place.plane.deploy(shop);
    Deployment queued = place.plane.trigger(blog);
    DashboardPlace.Browser browser = place.owner();

    assertThat(order(browser.get("/deployments")))
        .startsWith(queued.id().value(), live.id().value());
    DashboardPlace.Shown waiting = browser.get("/deployments?status=queued&project_id=");
    assertThat(order(waiting)).contains(queued.id().value()).doesNotContain(live.id().value());
    assertThat(waiting.body())
        .containsPattern("value=\"queued\" selected")
        .contains("hx-get=\"/dashboard/deployments/rows?status=queued\"", "every 3s");
    DashboardPlace.Shown ofShop = browser.get("/deployments?project_id=" + shop.id());
    assertThat(order(ofShop)).containsExactly(live.id().value());
    assertThat(ofShop.body()).contains("every 15s");
    String neither = "?status=rolled_back&project_id=" + shop.id();
    assertThat(browser.get("/deployments" + neither).text()).contains("No deployment is like that");
    assertThat(order(browser.get("/deployments/rows?project_id=" + blog.id())))
        .containsExactly(queued.id().value());
    assertThat(browser.get("/deployments?status=nonsense").status()).isEqualTo(400);
  }

  @Test
  void theHistoryOfADeletedProjectStaysWithoutALinkToIt() {
    place.plane.deploy(shop);
    place.plane.main.projects.delete(place.plane.account, shop.id(), false);

    DashboardPlace.Shown page = place.owner().get("/deployments");

    assertThat(page.text()).contains(shop.name() + " (deleted)");
    assertThat(page.body()).doesNotContain("/dashboard/projects/" + shop.id());
  }

  @Test
  void hostileMessagesAreTextEverywhere() {
    place.message(place.plane.deploy(shop), HOSTILE);
    place.plane.deploy(shop);
    DashboardPlace.Browser browser = place.owner();

    for (String path : List.of(timeline, "/deployments", "/projects/" + shop.id())) {
      assertThat(browser.get(path).body())
          .as(path)
          .contains("&lt;script&gt;alert(1)")
          .doesNotContain("<script>alert", "\"\"quoted");
    }
  }

  @Test
  void deploymentsOfOtherAccountsAreNotListed() {
    place.plane.deploy(shop);

    DashboardPlace.Browser stranger = place.signedIn(place.plane.addAccount(), Role.OWNER);
    assertThat(order(stranger.get("/deployments"))).isEmpty();
    assertThat(stranger.get("/deployments?project_id=" + shop.id()).status()).isEqualTo(403);
  }

  private static List<String> rollbacks(DashboardPlace.Shown page) {
    return found(page, "action=\"/dashboard/deployments/(dep_\\w+)/rollback\"");
  }

  private static List<String> order(DashboardPlace.Shown page) {
    return found(page, "href=\"/dashboard/deployments/(dep_\\w+)\"");
  }

  private static List<String> found(DashboardPlace.Shown page, String pattern) {
    return Pattern.compile(pattern)
        .matcher(page.body())
        .results()
        .map(it -> it.group(1))
        .distinct()
        .toList();
  }

  private static String link(DashboardPlace.Shown page, String rel) {
    Matcher found =
        Pattern.compile("href=\"/dashboard([^\"]*)\" rel=\"" + rel + "\"").matcher(page.body());
    assertThat(found.find()).as(page.body()).isTrue();
    return found.group(1).replace("&amp;", "&");
  }
}
