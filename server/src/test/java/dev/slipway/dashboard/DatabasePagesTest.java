package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.account.Role;
import dev.slipway.core.BackupId;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatabasePagesTest {
  private static final String CREATE = "{\"type\": \"postgres\", \"action\": \"create\"}";
  private static final String CONNECT =
      """
      {"type": "postgres", "action": "connect", "url": "postgres://ada@db.example.org/shop",
       "service_key": "#key-<b>of</b>-ada"}
      """;

  private final DashboardPlace place = new DashboardPlace();

  @AfterAll
  void close() {
    place.close();
  }

  @Test
  void aListNamesTheProjectsThatUseThem() {
    Used used = migrated("listed", CREATE);
    DashboardPlace.Shown page = place.owner().get("/databases");

    assertThat(page.body())
        .contains("href=\"/dashboard" + used.path() + "\"")
        .contains("<a href=\"/dashboard/projects/" + used.project() + "\">listed</a>");
    assertThat(place.signedIn(place.plane.addAccount(), Role.OWNER).get("/databases").text())
        .contains("No databases yet");
  }

  @Test
  void oneIsFollowedUntilItIsReadyAndItsServerIsAskedAfterwards() {
    Used used = migrated("followed", CREATE);
    DashboardPlace.Browser browser = place.owner();
    assertThat(browser.get(used.path()).body())
        .contains("Preparing", "hx-get=\"/dashboard" + used.path() + "/state\"");
    assertThat(browser.get(used.path() + "/state").body()).contains("every 3s");

    place.plane.main.jobs.runDue();
    DashboardPlace.Shown ready = browser.get(used.path());
    assertThat(ready.body())
        .contains("hx-get=\"/dashboard" + used.path() + "/facts\"", "href=\"?facts=1\"")
        .doesNotContain("every 3s");
    assertThat(ready.text()).contains("Ready", "Made here", "DATABASE_URL", "PGHOST");
    assertThat(browser.get(used.path() + "/state").location())
        .as("the page is loaded anew")
        .isEqualTo("/dashboard" + used.path());
    assertThat(browser.get(used.path() + "/facts").text()).contains("a fake", "0 B", "followed");
    assertThat(browser.get(used.path() + "?facts=1").text()).contains("a fake");
  }

  @Test
  void theLoginIsHiddenUntilItIsRevealedWhichIsWrittenDown() {
    Used used = migrated("revealed", CONNECT);
    place.plane.main.jobs.runDue();
    DashboardPlace.Browser browser = place.owner();

    assertThat(browser.get(used.path()).body()).doesNotContain("key-", "db.example.org");
    assertThat(audited(used, "database.reveal")).isZero();
    DashboardPlace.Shown revealed = browser.post(used.path() + "/reveal", Map.of());
    assertThat(revealed.body())
        .contains("#key-&lt;b&gt;of&lt;/b&gt;-ada", "db.example.org")
        .doesNotContain("<b>of");
    assertThat(audited(used, "database.reveal")).isEqualTo(1);
    DashboardPlace.Shown part =
        browser.send(
            HttpRequest.newBuilder(
                    place.form(used.path() + "/reveal", Map.of("csrf", browser.token())),
                    (_, _) -> true)
                .header("HX-Request", "true")
                .build());
    assertThat(part.body()).startsWith("<section class=\"card\"").contains("-ada");
  }

  @Test
  void aConnectedOneIsForgottenAndNothingElse() {
    Used used = migrated("connected", CONNECT);
    place.plane.main.jobs.runDue();
    DashboardPlace.Browser browser = place.owner();

    assertThat(browser.get(used.path()).text())
        .contains("Disconnect", "Exists elsewhere")
        .doesNotContain("Rotate login", "Back up now", "last backup first");
    assertThat(browser.post(used.path() + "/rotate", Map.of()).status()).isEqualTo(409);
    browser.post(used.path() + "/delete", Map.of("confirm", used.tail()));
    assertThat(status(used)).isEqualTo("dropped");
  }

  @Test
  void aLoginIsRotated() {
    Used used = migrated("rotated", CREATE);
    place.plane.main.jobs.runDue();

    assertThat(place.owner().post(used.path() + "/rotate", Map.of()).location())
        .isEqualTo("/dashboard" + used.path() + "?done=database-rotated");
    assertThat(status(used)).isEqualTo("rotating");
    assertThat(audited(used, "rotateDatabase")).isEqualTo(1);
  }

  @Test
  void aBackupIsMadeFollowedAndItsFailureTold() {
    Used used = migrated("backed-up", CREATE);
    place.plane.main.jobs.runDue();
    DashboardPlace.Browser browser = place.owner();
    assertThat(browser.get(used.path()).text()).contains("No backups yet", "Back up now");

    assertThat(browser.post(used.path() + "/backups", Map.of()).location())
        .endsWith("?done=backup-started");
    DashboardPlace.Shown running = browser.get(used.path() + "/backups");
    assertThat(running.text()).contains("Running", "Asked for").doesNotContain("Back up now");
    assertThat(running.body()).contains("every 3s");
    assertThat(browser.post(used.path() + "/backups", Map.of()).text())
        .contains("A backup of the database", "is being made");
    place.plane.main.jobs.runDue();
    assertThat(browser.get(used.path() + "/backups").text())
        .contains("Failed", "A fake has nothing to back up.", "Back up now");
  }

  @Test
  void aRestoreSaysExactlyWhatWillHappen() {
    Used used = migrated("restored", CREATE);
    place.plane.main.jobs.runDue();
    String backup = addBackup(used);
    DashboardPlace.Browser browser = place.owner();

    assertThat(browser.get(used.path()).text())
        .contains(
            "Restore this backup?",
            "Everything in the database is replaced by what it held at 2026-11-20 03:00:00 UTC.",
            "What uses it is restarted afterwards with another login: restored.");
    assertThat(
            browser
                .post("%s/backups/%s/restore".formatted(used.path(), backup), Map.of())
                .location())
        .isEqualTo("/dashboard" + used.path() + "?done=restore-started");
    assertThat(status(used)).isEqualTo("restoring");
  }

  @Test
  void itIsDroppedOnlyByWhoTypesTheEndOfItsIdentifier() {
    Used used = migrated("dropped", CREATE);
    place.plane.main.jobs.runDue();
    DashboardPlace.Browser browser = place.owner();

    for (Map<String, String> wrong :
        List.of(Map.of("confirm", "0000"), Map.of("confirm", ""), Map.<String, String>of())) {
      DashboardPlace.Shown refused = browser.post(used.path() + "/delete", wrong);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text()).contains("Nothing was dropped");
    }
    assertThat(status(used)).isEqualTo("ready");
    assertThat(
            browser
                .post(used.path() + "/delete", Map.of("confirm", used.tail(), "backup", "true"))
                .location())
        .endsWith("?done=database-dropped");
    assertThat(status(used)).isEqualTo("dropping");
    place.plane.main.jobs.runDue();
    assertThat(browser.get(used.path()).text())
        .as("as its backup cannot be made")
        .contains("What was asked for last was not done", "A fake has nothing to back up.");
    browser.post(used.path() + "/delete", Map.of("confirm", used.tail()));
    assertThat(status(used)).isEqualTo("dropped");
    addBackup(used);
    assertThat(browser.get(used.path()).text())
        .contains("Bring the database back?")
        .doesNotContain("Drop this database?", "Connection");
  }

  @Test
  void aProjectIsGivenAnotherOrNone() {
    Used first = migrated("first-user", CREATE);
    Used second = migrated("second-user", CREATE);
    String page = "/projects/" + first.project() + "/database";
    DashboardPlace.Browser browser = place.owner();

    assertThat(browser.get(page).body())
        .contains("<option value=\"" + first.id() + "\" selected>")
        .contains("used by second-user")
        .contains("hx-get=\"/dashboard" + page + "/state\"");
    assertThat(browser.post(page, Map.of("database_id", second.id())).location())
        .isEqualTo("/dashboard" + page + "?done=database-chosen");
    assertThat(databaseOf(first)).isEqualTo(second.id());
    assertThat(browser.post(page, Map.of("database_id", "dbp_none")).status()).isEqualTo(404);
    browser.post(page, Map.of("database_id", ""));
    assertThat(databaseOf(first)).isEmpty();
    DashboardPlace.Shown none = browser.get(page);
    assertThat(none.text()).contains("This project has no database");
    assertThat(none.body()).contains("<option value=\"\" selected>None");
  }

  @Test
  void viewersLookAndOtherAccountsSeeNothing() {
    Used used = migrated("looked-at", CREATE);
    place.plane.main.jobs.runDue();
    addBackup(used);
    String page = "/projects/" + used.project() + "/database";
    DashboardPlace.Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);
    DashboardPlace.Browser stranger = place.signedIn(place.plane.addAccount(), Role.OWNER);

    for (String each : List.of(used.path(), page)) {
      assertThat(viewer.get(each).text()).contains("Backups", "looked-at");
      assertThat(viewer.get(each).body())
          .doesNotContain("<dialog", "/reveal", "method=\"post\" action=\"/dashboard/databases");
      assertThat(stranger.get(each).status()).isEqualTo(403);
    }
    for (String part : List.of("/state", "/facts", "/backups")) {
      assertThat(stranger.get(used.path() + part).status()).as(part).isEqualTo(403);
    }
    Map<String, String> confirmed = Map.of("confirm", used.tail());
    for (String action : List.of("/reveal", "/rotate", "/backups", "/delete")) {
      assertThat(viewer.post(used.path() + action, confirmed).status()).isEqualTo(403);
      assertThat(stranger.post(used.path() + action, confirmed).status()).isEqualTo(403);
    }
    assertThat(stranger.post(page, Map.of("database_id", "")).status()).isEqualTo(403);
    assertThat(status(used)).isEqualTo("ready");
    assertThat(place.owner().get("/databases/dbp_01kagpfhh3f4hbq9rs9f0j4x2m").status())
        .isEqualTo(404);
  }

  @Test
  void aPageFullOfBackupsIsBelowTheLimit() {
    Used used = migrated("full", CREATE);
    place.plane.main.jobs.runDue();
    for (int i = 0; i < 25; i++) {
      addBackup(used);
    }

    DashboardPlace.Shown page = place.owner().get(used.path());
    assertThat(page.body().getBytes(StandardCharsets.UTF_8).length).isLessThan(60_000);
    assertThat(page.body()).contains("rel=\"next\"");
  }

  /** A project with its database. */
  private record Used(String project, String id) {
    String path() {
      return "/databases/" + id;
    }

    String tail() {
      return id.substring(id.length() - 4);
    }
  }

  private Used migrated(String project, String database) {
    JsonNode created =
        place
            .api
            .post(
                "/v1/migrations",
                "{\"source\": \"github\", \"repo\": \"acme/shop\", \"project_name\": \"%s\", \"database\": %s}"
                    .formatted(project, database))
            .data();
    String id = created.get("project_id").asText();
    return new Used(
        id, place.api.get("/v1/projects/" + id).data().at("/database/project_id").asText());
  }

  private String databaseOf(Used used) {
    return place
        .api
        .get("/v1/projects/" + used.project())
        .data()
        .at("/database/project_id")
        .asText();
  }

  private String status(Used used) {
    return place.api.get("/v1" + used.path()).data().get("status").asText();
  }

  /** One that is complete: the plane's server has nothing to back up. */
  private String addBackup(Used used) {
    String id = BackupId.next().value();
    place.plane.database.useTransaction(tx ->
        tx.execute(
            """
            INSERT INTO database_backup VALUES (?, ?, 'COMPLETE', 'SCHEDULE', 1234567, NULL, NULL,
                '2026-11-20T03:00:00Z', '2026-11-20T03:00:05Z', '2036-11-27T03:00:00Z')
            """,
            id,
            used.id()));
    return id;
  }

  private int audited(Used used, String action) {
    return place.plane.database.read(tx ->
        tx.createQuery(
                "SELECT count(*) FROM audit WHERE action = ? AND subject = ? AND user_id IS NOT NULL")
            .bind(0, action)
            .bind(1, used.id())
            .mapTo(Integer.class)
            .one());
  }
}
