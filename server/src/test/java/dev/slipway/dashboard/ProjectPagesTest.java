package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.account.Role;
import dev.slipway.core.AccountId;
import dev.slipway.core.ProjectId;
import dev.slipway.deployment.Deployment;
import dev.slipway.metric.TestTraffic;
import dev.slipway.project.Project;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProjectPagesTest {
  private static final List<String> TABS =
      List.of("", "/deployments", "/logs", "/metrics", "/state", "/instances", "/logs.txt");

  private final DashboardPlace place = new DashboardPlace();
  private final AtomicInteger projects = new AtomicInteger();
  private Project shop = place.plane.project("first");
  private String path = "";

  /** Each test has a project of its own. */
  @BeforeEach
  void begin() {
    shop = place.plane.project("shop-" + projects.incrementAndGet());
    path = "/projects/" + shop.id();
  }

  @AfterAll
  void close() {
    place.close();
  }

  @Test
  void theOverviewSaysWhatServesWhatRunsAndWhatWasAskedOfIt() {
    Deployment live = place.plane.deploy(shop);
    TestTraffic.write(place.plane.database, place.plane.clock, shop.id(), 30);
    TestTraffic.write(place.plane.database, place.plane.clock, shop.id(), 2, 503);

    DashboardPlace.Shown page = place.owner().get(path);

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.text())
        .contains("Live", shop.name() + ".localhost:8080", "acme/" + shop.name(), "main, Node.js")
        .contains("us-east-1", "small: 512 MB, 0.5 CPU", "Healthy", "Deploy " + shop.name())
        .contains("Requests 32", "Errors 2", "p99 at its highest", "Production");
    assertThat(page.body())
        .contains("href=\"/dashboard/deployments/" + live.id() + "\"")
        .contains("aria-current=\"page\">Overview<")
        .contains("32 requests in the last 24 hours");
    assertThat(page.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(100_000);
  }

  @Test
  void whatWasNeverDeployedOffersThatAlone() {
    DashboardPlace.Shown page = place.owner().get(path);

    assertThat(page.text()).contains("Not deployed yet", "Nothing serves it yet", "None yet");
    assertThat(page.body()).doesNotContain(path + "/restart").contains(path + "/deploy");
  }

  @Test
  void aSiteHasNoInstances() {
    place.plane.becomesSite(shop);
    place.plane.deploy(shop);

    assertThat(place.owner().get(path).text())
        .contains("Its files are served as they are; no program runs.");
  }

  @Test
  void aProgramThatCrashesSaysWhyOnTop() {
    Deployment live = place.plane.deploy(shop);
    place.crashing(live, "The program ended with status 1 <again>.");

    DashboardPlace.Shown page = place.owner().get(path);
    assertThat(page.text())
        .contains("The program crashes start_failed The program ended with status 1 <again>.");
    assertThat(page.body()).contains("<span class=\"badge bad\">Crashing</span>");
    assertThat(place.owner().get(path + "/state").body()).contains("Crashing");
  }

  @Test
  void aDeploymentIsAskedForAndWatched() {
    place.plane.deploy(shop);
    DashboardPlace.Browser browser = place.owner();

    DashboardPlace.Shown asked =
        browser.post(path + "/deploy", Map.of("commit_sha", "0123456", "rebuild", "true"));

    assertThat(asked.status()).isEqualTo(303);
    JsonNode newest = deployments().get(0);
    assertThat(asked.location()).isEqualTo("/dashboard/deployments/" + newest.get("id").asText());
    assertThat(newest.get("status").asText()).isEqualTo("queued");
    assertThat(browser.get(path).text()).contains("Queued", "Commit 0123456");
  }

  @Test
  void aCommitThatIsNoneIsRefusedAndStaysInTheField() {
    DashboardPlace.Browser browser = place.owner();
    browser.get(path);

    DashboardPlace.Shown refused =
        browser.post(path + "/deploy", Map.of("commit_sha", "\"><b>x", "rebuild", "true"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("That did not work", "commit_sha");
    assertThat(refused.body())
        .contains("value=\"&#34;>&lt;b>x\"")
        .containsPattern("id=\"rebuild\"[^>]* checked")
        .doesNotContain("<b>x");
    assertThat(deployments()).isEmpty();
  }

  @Test
  void whoAskedForADeploymentIsNamed() {
    DashboardPlace.Browser browser = place.owner();
    browser.get(path);
    browser.post(path + "/deploy", Map.of());
    place.plane.main.jobs.runDue();

    assertThat(browser.get(path).text()).containsPattern("Deployed \\S.* by owner-\\S+@example");
    place.api.post("/v1/deployments", "{\"project_id\": \"" + shop.id() + "\"}");
    assertThat(browser.get(path).text()).contains("API key test");
  }

  @Test
  void aRestartIsAskedForAndASecondOneIsRefusedWhileItGoesOn() {
    place.plane.deploy(shop);
    DashboardPlace.Browser browser = place.owner();
    browser.get(path);

    assertThat(browser.post(path + "/restart", Map.of()).location())
        .isEqualTo("/dashboard" + path + "?done=restarted");
    assertThat(browser.get(path).text()).contains("Restarting", "A restart is under way");
    DashboardPlace.Shown refused = browser.post(path + "/restart", Map.of());
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text()).contains("wait until it has ended");
  }

  @Test
  void aViewerSeesAllAndIsOfferedNothing() {
    place.plane.deploy(shop);
    place.plane.deploy(shop);
    DashboardPlace.Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);

    for (String page : List.of("", "/deployments", "/logs", "/metrics")) {
      assertThat(viewer.get(path + page).body())
          .contains(shop.name() + ".localhost:8080")
          .doesNotContain("/restart\"", "/deploy\"", "/rollback\"");
    }
    assertThat(viewer.post(path + "/deploy", Map.of()).status()).isEqualTo(403);
    assertThat(viewer.post(path + "/restart", Map.of()).status()).isEqualTo(403);
    assertThat(deployments()).hasSize(2);
  }

  @Test
  void aMemberDeploys() {
    DashboardPlace.Browser member = place.signedIn(place.plane.account, Role.MEMBER);
    member.get(path);

    assertThat(member.post(path + "/deploy", Map.of()).status()).isEqualTo(303);
  }

  @Test
  void projectsOfOthersAndNoneAreRefusedOnEveryPage() {
    place.plane.deploy(shop);
    AccountId other = place.plane.addAccount();
    DashboardPlace.Browser stranger = place.signedIn(other, Role.OWNER);
    DashboardPlace.Browser owner = place.owner();

    for (String tab : TABS) {
      DashboardPlace.Shown refused = stranger.get(path + tab);
      assertThat(refused.status()).as(tab).isEqualTo(403);
      assertThat(refused.body()).doesNotContain("acme/" + shop.name());
      assertThat(owner.get("/projects/" + ProjectId.next() + tab).status()).as(tab).isEqualTo(404);
    }
    stranger.get("/projects");
    assertThat(stranger.post(path + "/deploy", Map.of()).status()).isEqualTo(403);
    assertThat(stranger.post(path + "/restart", Map.of()).status()).isEqualTo(403);
  }

  private JsonNode deployments() {
    return place.api.get("/v1/deployments?project_id=" + shop.id()).data();
  }
}
