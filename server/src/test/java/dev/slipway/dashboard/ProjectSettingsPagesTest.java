package dev.slipway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.account.Role;
import dev.slipway.project.Project;
import dev.slipway.source.zip.PackedZip;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProjectSettingsPagesTest {
  private final DashboardPlace place = new DashboardPlace();

  @AfterAll
  void close() {
    place.close();
  }

  @Test
  void whatNobodyHasSaidIsEmptyAndStaysSo() {
    Project shop = place.plane.project("unsaid");
    place.plane.deploy(shop);
    DashboardPlace.Browser browser = place.owner();

    assertThat(browser.get(path(shop)).body())
        .contains(
            "<option value=\"\" selected>Detect",
            "name=\"health_check_path\" type=\"text\" value=\"\"")
        .contains("id=\"restart\"");
    assertThat(browser.post(path(shop) + "/build", Map.of("framework", "")).location())
        .isEqualTo("/dashboard" + path(shop) + "?done=settings-saved");
    assertThat(place.plane.read(shop).settings().overrides())
        .isEqualTo(shop.settings().overrides());
  }

  @Test
  void eachSectionSavesItsOwnAndNothingElse() {
    Project shop = place.plane.project("sections");
    DashboardPlace.Browser browser = place.owner();

    browser.post(path(shop) + "/general", Map.of("name", " New name ", "branch", "release"));
    browser.post(
        path(shop) + "/build",
        Map.of(
            "framework", "node-express",
            "root_directory", "apps/web",
            "install_command", "npm ci",
            "build_command", "npm run build && npm test",
            "output_directory", "dist"));
    browser.post(
        path(shop) + "/run",
        Map.of(
            "start_command", "node main.js",
            "health_check_path", "/healthz",
            "instance_type", "large",
            "instances", "3",
            "sleep_after_seconds", "600"));
    browser.post(path(shop) + "/deploys", Map.of("previews", "true"));

    JsonNode read = read(shop);
    assertThat(read.get("name").asText()).isEqualTo("New name");
    assertThat(read.get("branch").asText()).isEqualTo("release");
    assertThat(read.get("framework").asText()).isEqualTo("node-express");
    assertThat(read.get("root_directory").asText()).isEqualTo("apps/web");
    assertThat(read.get("build_command").asText()).isEqualTo("npm run build && npm test");
    assertThat(read.get("output_directory").asText()).isEqualTo("dist");
    assertThat(read.get("start_command").asText()).isEqualTo("node main.js");
    assertThat(read.get("health_check_path").asText()).isEqualTo("/healthz");
    assertThat(read.get("instance_type").asText()).isEqualTo("large");
    assertThat(read.get("instances").asInt()).isEqualTo(3);
    assertThat(read.get("sleep_after_seconds").asInt()).isEqualTo(600);
    assertThat(read.get("auto_deploy").asBoolean()).isFalse();
    assertThat(read.get("previews").asText()).isEqualTo("unlisted");

    assertThat(read.get("preview_forks").asBoolean()).isFalse();

    browser.post(path(shop) + "/deploys", Map.of("auto_deploy", "true", "preview_forks", "true"));
    assertThat(read(shop).get("preview_forks").asBoolean()).isTrue();
    assertThat(browser.get(path(shop)).text()).contains("whoever opens one says what that program");
    browser.post(path(shop) + "/run", Map.of("instances", "1", "instance_type", "large"));
    assertThat(read(shop).get("auto_deploy").asBoolean()).isTrue();
    assertThat(read(shop).get("previews").asText()).isEqualTo("off");
    assertThat(read(shop).has("start_command")).isFalse();
    assertThat(read(shop).has("sleep_after_seconds")).isFalse();
  }

  @Test
  void whatIsRefusedStaysInItsField() {
    Project shop = place.plane.project("stays");
    place.plane.project("taken");
    DashboardPlace.Browser browser = place.owner();

    DashboardPlace.Shown name =
        browser.post(path(shop) + "/general", Map.of("name", "taken", "branch", "main"));
    assertThat(name.status()).isEqualTo(409);
    assertThat(name.text()).contains("there is a project called taken already");
    assertThat(name.body()).contains("name=\"name\" type=\"text\" value=\"taken\"");
    DashboardPlace.Shown hostile =
        browser.post(
            path(shop) + "/build", Map.of("build_command", "\"><script>alert(1)</script> | x"));
    assertThat(hostile.status()).isEqualTo(400);
    assertThat(hostile.body())
        .contains("&lt;script>alert(1)&lt;/script>")
        .doesNotContain("<script>alert");
    DashboardPlace.Shown number =
        browser.post(path(shop) + "/run", Map.of("instances", "many", "start_command", "kept"));
    assertThat(number.status()).isEqualTo(400);
    assertThat(number.body()).contains("value=\"many\"", "value=\"kept\"");
    assertThat(number.text()).contains("instances:");
    assertThat(read(shop).get("instances").asInt()).isEqualTo(1);
  }

  @Test
  void aProjectFromArchivesIsGivenAnotherOne() throws Exception {
    DashboardPlace.Browser browser = place.owner();
    String first = upload(browser, "{\"name\": \"site\"}");
    String project =
        place
            .api
            .post(
                "/v1/migrations",
                "{\"source\": \"zip\", \"upload_id\": \"%s\", \"project_name\": \"packed\"}"
                    .formatted(first))
            .data()
            .get("project_id")
            .asText();
    String settings = "/projects/%s/settings".formatted(project);

    assertThat(browser.get(settings).body())
        .contains("data-drop=\"/dashboard/uploads\"", "Zip archives")
        .doesNotContain("Git hook", "preview_forks", "/previews\"")
        .doesNotContain("name=\"branch\"", "name=\"auto_deploy\"");
    assertThat(browser.post(settings + "/archive", Map.of("upload_id", "")).text())
        .contains("No archive was uploaded");
    String second = upload(browser, "{\"name\": \"site-2\"}");
    assertThat(browser.post(settings + "/archive", Map.of("upload_id", second)).location())
        .startsWith("/dashboard/deployments/dep_");
    assertThat(place.api.get("/v1/deployments?project_id=" + project).data()).hasSize(2);
    browser.post(settings + "/deploys", Map.of("previews", "true"));
    assertThat(place.api.get("/v1/projects/" + project).data().get("auto_deploy").asBoolean())
        .as("what the form does not ask stays")
        .isTrue();
  }

  @Test
  void itIsDeletedOnlyByWhoTypesItsName() {
    Project shop = place.plane.project("to-go");
    DashboardPlace.Browser browser = place.owner();

    DashboardPlace.Shown refused =
        browser.post(path(shop) + "/delete", Map.of("confirm", "to-stay"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.text()).contains("type the name of the project, to-go, to confirm");
    assertThat(browser.post(path(shop) + "/delete", Map.of("confirm", "to-go")).location())
        .isEqualTo("/dashboard/projects?done=project-deleted");
    assertThat(browser.get(path(shop)).status()).isEqualTo(404);
  }

  @Test
  void itsDatabaseGoesWithItWhereThatIsAskedFor() {
    JsonNode created =
        place
            .api
            .post(
                "/v1/migrations",
                "{\"source\": \"github\", \"repo\": \"acme/shop\", \"project_name\": \"both\", \"database\": {\"type\": \"postgres\", \"action\": \"create\"}}")
            .data();
    String project = "/projects/" + created.get("project_id").asText();
    String database = place.api.get("/v1" + project).data().at("/database/project_id").asText();
    DashboardPlace.Browser browser = place.owner();

    assertThat(browser.get(project + "/settings").text()).contains("Drop its database too");
    browser.post(
        project + "/settings/delete", Map.of("confirm", "both", "delete_databases", "true"));
    assertThat(place.api.get("/v1/databases/" + database).data().get("status").asText())
        .isEqualTo("dropped");
  }

  @Test
  void viewersReadMembersChangeAndOtherAccountsSeeNothing() {
    Project shop = place.plane.project("looked-at");
    DashboardPlace.Browser viewer = place.signedIn(place.plane.account, Role.VIEWER);
    DashboardPlace.Browser member = place.signedIn(place.plane.account, Role.MEMBER);
    DashboardPlace.Browser stranger = place.signedIn(place.plane.addAccount(), Role.OWNER);

    assertThat(viewer.get(path(shop)).text()).contains("acme/looked-at", "Detected");
    assertThat(viewer.get(path(shop)).body()).doesNotContain("<dialog", "Danger zone");
    assertThat(stranger.get(path(shop)).status()).isEqualTo(403);
    for (DashboardPlace.Browser each : List.of(viewer, stranger)) {
      for (String section : List.of("/general", "/build", "/run", "/deploys", "/delete")) {
        assertThat(
                each.post(path(shop) + section, Map.of("name", "mine", "confirm", "looked-at"))
                    .status())
            .as(section)
            .isEqualTo(403);
      }
    }
    assertThat(
            member
                .post(path(shop) + "/general", Map.of("name", "looked-at", "branch", "next"))
                .status())
        .isEqualTo(303);
    assertThat(read(shop).get("branch").asText()).isEqualTo("next");
    assertThat(member.get(path(shop)).body().getBytes(StandardCharsets.UTF_8).length)
        .isLessThan(50_000);
  }

  private static String path(Project project) {
    return "/projects/" + project.id() + "/settings";
  }

  private JsonNode read(Project project) {
    return place.api.get("/v1/projects/" + project.id()).data();
  }

  private String upload(DashboardPlace.Browser browser, String manifest) throws Exception {
    DashboardPlace.Shown uploaded =
        browser.send(
            HttpRequest.newBuilder(place.uri("/uploads"))
                .header("Content-Type", "application/zip")
                .header("Origin", "http://127.0.0.1:" + place.port())
                .header("X-CSRF-Token", browser.token())
                .POST(
                    HttpRequest.BodyPublishers.ofByteArray(PackedZip.of("package.json", manifest)))
                .build());
    Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(uploaded.body());
    assertThat(id.find()).as(uploaded.body()).isTrue();
    return id.group(1);
  }
}
