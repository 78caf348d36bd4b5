package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.account.Role;
import dev.slipway.core.MigrationId;
import dev.slipway.migration.MigrationService;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MigrationPagesTest {
  private final DashboardPlace place = new DashboardPlace();

  @AfterEach
  void close() {
    place.close();
  }

  @Test
  void itIsWatchedUntilItsProjectIsLive() {
    DashboardPlace.Browser browser = place.owner();
    MigrationService.Detail begun = begin("shop");
    String path = path(begun);
    DashboardPlace.Shown page = browser.get(path);

    assertThat(page.body())
        .contains("<span class=\"badge run\">Migrating</span>", "hx-trigger=\"every 2s\"")
        .contains(
            "/log?after=", "<li class=\"waiting\">", "action=\"/dashboard" + path + "/cancel\"");
    place.plane.main.jobs.runDue();
    assertThat(browser.get(path + "/state?seen=x").body())
        .contains("<span class=\"badge ok\">Done</span>", "is live at shop.localhost:8080.")
        .doesNotContain("hx-get");
    assertThat(browser.get(path).body()).doesNotContain("data-stream");
    assertThat(browser.get(path + "/log.txt").body()).contains("is queued");
  }

  @Test
  void whatWasCanceledIsNoFailureAndCanBeTriedAgain() {
    DashboardPlace.Browser browser = place.owner();
    String path = path(begin("shop"));
    browser.get(path);

    assertThat(browser.post(path + "/cancel", Map.of()).location())
        .isEqualTo("/dashboard" + path + "?done=canceled");
    DashboardPlace.Shown page = browser.get(path);
    assertThat(page.text()).contains("Canceled", "The migration was canceled.", "Try again");
    assertThat(page.body()).doesNotContain("<section class=\"cause\"");
  }

  @Test
  void ofADeletedProjectItCanBeReadAndLeadsNowhere() {
    MigrationService.Detail done = begin("shop");
    place.plane.main.jobs.runDue();
    place.plane.main.projects.delete(place.plane.account, done.project().id(), false);

    DashboardPlace.Shown page = place.owner().get(path(done));
    assertThat(page.text()).contains("shop (deleted)", "Its project was deleted.", "is queued");
    assertThat(page.body())
        .doesNotContain("/dashboard/projects/" + done.project().id(), "/redeploy", "is live at");
  }

  @Test
  void viewersWatchItAndOtherAccountsDoNot() {
    String path = path(begin("shop"));
    DashboardPlace.Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);

    assertThat(viewer.get(path).body()).contains("Migration of shop").doesNotContain("/cancel\"");
    assertThat(viewer.post(path + "/cancel", Map.of()).status()).isEqualTo(403);
    DashboardPlace.Browser other = place.signedIn(place.plane.addAccount(), Role.OWNER);
    for (String below : new String[] {"", "/state", "/log", "/log.txt"}) {
      assertThat(other.get(path + below).status()).as(below).isEqualTo(403);
    }
    assertThat(other.get("/migrations/" + MigrationId.next()).status()).isEqualTo(404);
  }

  private MigrationService.Detail begin(String name) {
    DashboardPlace.Browser browser = place.owner();
    browser.get("/new");
    String location =
        browser
            .post("/migrations", Map.of("kind", "git", "source", "github", "repo", "acme/" + name))
            .location();
    MigrationId id = new MigrationId(location.substring(location.lastIndexOf('/') + 1));
    return place.plane.main.migrations.get(place.plane.account, id);
  }

  private static String path(MigrationService.Detail migration) {
    return "/migrations/" + migration.migration().id();
  }
}
