package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.deployment.Deployment;
import dev.slipway.project.Project;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The resource {@code /projects} with its variables, and what there is to choose from. */
class ApiProjectTest {
  private final ApiPlace api = new ApiPlace();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aProjectShowsItsSettingsAndWhatServesIt() {
    Project project = api.plane.project("shop");
    Deployment live = api.plane.deploy(project);
    JsonNode shown = api.get(uri(project)).data();

    assertThat(shown.get("name").asText()).isEqualTo("shop");
    assertThat(shown.get("repo").asText()).isEqualTo("acme/shop");
    assertThat(shown.get("url").asText()).isEqualTo("http://shop.localhost:8080");
    assertThat(shown.get("live_deployment_id").asText()).isEqualTo(live.id().value());
    assertThat(shown.get("framework").asText()).isEqualTo("node-express");
    assertThat(shown.get("instances").asInt()).isEqualTo(1);
    assertThat(shown.get("instances_running").asInt()).isEqualTo(1);
    assertThat(shown.get("auto_deploy").asBoolean()).isTrue();
    assertThat(shown.get("previews").asText()).isEqualTo("unlisted");
    assertThat(shown.get("health_check_path").asText()).isEqualTo("/");
    assertThat(shown.has("restart")).isFalse();
  }

  @Test
  void projectsAreListedNewestFirstInPages() {
    for (String name : List.of("a", "b", "c")) {
      api.plane.project(name);
    }
    JsonNode first = api.get("/v1/projects?limit=2").json();
    String cursor = first.at("/pagination/next_cursor").asText();
    JsonNode second = api.get("/v1/projects?limit=2&cursor=" + cursor).json();

    assertThat(names(first)).containsExactly("c", "b");
    assertThat(names(second)).containsExactly("a");
    assertThat(second.at("/pagination/has_more").asBoolean()).isFalse();
    assertThat(api.get("/v1/deployments?cursor=" + cursor).code()).isEqualTo("invalid_cursor");
  }

  @Test
  void whatIsNamedChangesAndTheRestStays() {
    Project project = api.plane.project("shop");
    ApiPlace.Reply reply =
        api.call(
            "PATCH",
            uri(project),
            """
            {"name": "store", "branch": "release", "framework": "node-express", "instance_type": "large",
             "instances": 3, "auto_deploy": false, "previews": "off", "health_check_path": "/ok?a=b"}
            """);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(api.get(uri(project)).data()).isEqualTo(reply.data());
    assertThat(reply.data().get("name").asText()).isEqualTo("store");
    assertThat(reply.data().get("branch").asText()).isEqualTo("release");
    assertThat(reply.data().get("framework").asText()).isEqualTo("node-express");
    assertThat(reply.data().get("instance_type").asText()).isEqualTo("large");
    assertThat(reply.data().get("instances").asInt()).isEqualTo(3);
    assertThat(reply.data().get("auto_deploy").asBoolean()).isFalse();
    assertThat(reply.data().get("previews").asText()).isEqualTo("off");
    assertThat(reply.data().get("health_check_path").asText()).isEqualTo("/ok?a=b");

    JsonNode after = api.call("PATCH", uri(project), "{\"framework\": null}").data();
    assertThat(after.has("framework")).isFalse();
    assertThat(after.get("branch").asText()).isEqualTo("release");
  }

  @Test
  void itMaySleepForAsLongAsItsOwnerWantsThat() {
    String uri = uri(api.plane.project("shop"));
    assertThat(api.get(uri).data().has("sleep_after_seconds")).isFalse();

    api.call("PATCH", uri, "{\"sleep_after_seconds\": 900}");
    api.call("PATCH", uri, "{\"auto_deploy\": false}");
    assertThat(api.get(uri).data().get("sleep_after_seconds").asInt()).isEqualTo(900);

    JsonNode never = api.call("PATCH", uri, "{\"sleep_after_seconds\": null}").data();
    assertThat(never.has("sleep_after_seconds")).isFalse();
    for (String wrong : new String[] {"0", "604801", "\"5m\"", "7.5"}) {
      assertThat(api.call("PATCH", uri, "{\"sleep_after_seconds\": " + wrong + "}").status())
          .as(wrong)
          .isEqualTo(400);
    }
  }

  @Test
  void aChangeThatIsWrongIsRefusedWithEveryFault() {
    Project project = api.plane.project("shop");

    assertThat(patch(project, "{}").status()).isEqualTo(400);
    assertThat(patch(project, "{\"nam\": \"x\"}").message()).contains("did you mean name?");
    assertThat(patch(project, "{\"instances\": 0}").status()).isEqualTo(400);
    assertThat(patch(project, "{\"instances\": 6}").message())
        .isEqualTo("instances: must be at most 5 on this server");
    assertThat(patch(project, "{\"health_check_path\": \"ok\"}").status()).isEqualTo(400);
    assertThat(patch(project, "{\"health_check_path\": \"/ o\"}").status()).isEqualTo(400);
    assertThat(patch(project, "{\"previews\": \"public\"}").status()).isEqualTo(400);
    assertThat(patch(project, "{\"region\": \"us-east-1\"}").status()).isEqualTo(400);
    ApiPlace.Reply wrong =
        patch(
            project,
            "{\"branch\": \"-x\", \"instance_type\": \"huge\", \"framework\": \"nextjs\"}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.message()).contains("branch: ", "instance_type: ", "framework: ");
    assertThat(api.plane.read(project)).isEqualTo(project);
  }

  @Test
  void aNameThatIsTakenIsAConflict() {
    api.plane.project("blog");
    ApiPlace.Reply reply = patch(api.plane.project("shop"), "{\"name\": \"blog\"}");

    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.code()).isEqualTo("conflict");
  }

  @Test
  void aMigrationTakesTheHealthCheckPath() {
    JsonNode made =
        api.post(
                "/v1/migrations",
                "{\"source\": \"github\", \"repo\": \"acme/shop\", \"health_check_path\": \"/ok\"}")
            .data();

    assertThat(
            api.get("/v1/projects/" + made.get("project_id").asText())
                .data()
                .get("health_check_path")
                .asText())
        .isEqualTo("/ok");
  }

  @Test
  void howAnApplicationIsBuiltIsSaidWithTheMigrationOrLater() {
    String project =
        api.post(
                "/v1/migrations",
                """
                {"source": "github", "repo": "acme/mono", "root_directory": "./apps//web/",
                 "install_command": " npm ci ", "build_command": "npm run build && cp a b",
                 "start_command": "node server.js", "output_directory": "dist"}
                """)
            .data()
            .get("project_id")
            .asText();
    JsonNode made = api.get("/v1/projects/" + project).data();
    assertThat(made.get("root_directory").asText()).isEqualTo("apps/web");
    assertThat(made.get("install_command").asText()).isEqualTo("npm ci");
    assertThat(made.get("build_command").asText()).isEqualTo("npm run build && cp a b");
    assertThat(made.get("start_command").asText()).isEqualTo("node server.js");
    assertThat(made.get("output_directory").asText()).isEqualTo("dist");

    JsonNode changed =
        api.call(
                "PATCH",
                "/v1/projects/" + project,
                """
                {"root_directory": ".", "install_command": null, "start_command": "node x.js",
                 "output_directory": null, "health_check_path": null}
                """)
            .data();
    assertThat(api.get("/v1/projects/" + project).data()).isEqualTo(changed);
    assertThat(changed.get("root_directory").asText()).isEqualTo(".");
    assertThat(changed.has("install_command")).isFalse();
    assertThat(changed.get("build_command").asText()).isEqualTo("npm run build && cp a b");
    assertThat(changed.get("start_command").asText()).isEqualTo("node x.js");
    assertThat(changed.has("output_directory")).isFalse();
    assertThat(changed.get("health_check_path").asText()).isEqualTo("/");
  }

  @Test
  void aDirectoryOrCommandThatIsNoneIsRefused() {
    Project project = api.plane.project("shop");

    for (String directory :
        List.of("", "/app", "..", "../x", "a/../../x", "a/..", "a\\\\b", "\\n")) {
      assertRefused(project, "root_directory", directory);
      assertRefused(project, "output_directory", directory);
    }
    assertThat(patch(project, "{\"root_directory\": \"..a/b..c/...\"}").status()).isEqualTo(200);
    for (String command :
        List.of("", "  ", "a\\nb", "a\\u001bb", "x".repeat(1025), "a | b", "a > b", "a '")) {
      for (String step : List.of("install", "build", "start")) {
        assertRefused(project, step + "_command", command);
      }
    }
  }

  private void assertRefused(Project project, String field, String json) {
    String body = "{\"%s\": \"%s\"}".formatted(field, json);
    for (ApiPlace.Reply reply :
        List.of(
            patch(project, body),
            api.post(
                "/v1/migrations",
                "{\"source\": \"github\", \"repo\": \"a/b\", " + body.substring(1)))) {
      assertThat(reply.status()).as(body).isEqualTo(400);
      assertThat(reply.message()).startsWith(field + ": ");
    }
  }

  @Test
  void aRestartIsFollowedWithTheProject() {
    Project project = api.plane.project("shop");
    assertThat(api.call("POST", uri(project) + "/restart", "").code()).isEqualTo("conflict");
    api.plane.deploy(project);

    ApiPlace.Reply begun = api.call("POST", uri(project) + "/restart", "");
    assertThat(begun.status()).isEqualTo(200);
    assertThat(begun.data().at("/restart/status").asText()).isEqualTo("running");
    assertThat(begun.data().at("/restart").has("completed_at")).isFalse();
    assertThat(api.call("POST", uri(project) + "/restart", "").status()).isEqualTo(409);

    api.plane.main.jobs.runDue();
    JsonNode done = api.get(uri(project)).data().get("restart");
    assertThat(done.get("status").asText()).isEqualTo("done");
    assertThat(done.has("completed_at")).isTrue();
  }

  @Test
  void aDeletedProjectIsGone() {
    Project project = api.plane.project("shop");
    Deployment live = api.plane.deploy(project);
    ApiPlace.Reply deleted = api.call("DELETE", uri(project), "");

    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.data()).isEqualTo(json(Map.of("id", project.id().value(), "deleted", true)));
    assertThat(api.call("DELETE", uri(project), "").status()).isEqualTo(404);
    assertThat(api.get(uri(project)).status()).isEqualTo(404);
    assertThat(api.get("/v1/projects").data()).isEmpty();
    assertThat(api.post("/v1/deployments", "{\"project_id\": \"" + project.id() + "\"}").status())
        .isEqualTo(404);
    assertThat(api.call("POST", "/v1/deployments/" + live.id() + "/rollback", "").status())
        .isEqualTo(404);
    assertThat(api.get("/v1/deployments/" + live.id()).data().get("preview_url").isNull()).isTrue();
    assertThat(api.get("/v1/deployments?project_id=" + project.id()).data()).hasSize(1);
  }

  @Test
  void variablesAreShownByNameAlone() {
    Project project = api.plane.project("shop");

    assertThat(api.get(envVars(project)).body())
        .isEqualTo("{\"data\":{\"env_vars\":{\"GREETING\":null}}}");
    assertThat(api.get(envVars(project) + "?reveal=false").body()).doesNotContain("hello");
    assertThat(api.plane.count("audit")).isZero();
  }

  @Test
  void whoSeesTheirValuesIsWrittenDown() {
    Project project = api.plane.project("shop");
    ApiPlace.Reply reply = api.get(envVars(project) + "?reveal=true");

    assertThat(reply.data().at("/env_vars/GREETING").asText()).isEqualTo("hello");
    assertThat(
            api.plane.count(
                "audit JOIN api_key ON api_key.id = api_key_id WHERE audit.account_id = '%s' AND action = 'env_vars.reveal' AND subject = '%s'"
                    .formatted(api.plane.account, project.id())))
        .isEqualTo(1);
    assertThat(api.get(envVars(project) + "?reveal=yes").status()).isEqualTo(400);
  }

  @Test
  void variablesAreReplacedOrMerged() {
    Project project = api.plane.project("shop");
    String uri = envVars(project);

    assertThat(names(api.call("PATCH", uri, "{\"env_vars\": {\"B\": \"2\", \"A\": \"1\"}}")))
        .containsExactly("A", "B", "GREETING");
    assertThat(names(api.call("PATCH", uri, "{\"env_vars\": {\"GREETING\": null, \"X\": null}}")))
        .containsExactly("A", "B");
    assertThat(names(api.call("PUT", uri, "{\"env_vars\": {\"C\": \"3\"}}"))).containsExactly("C");
    assertThat(api.get(uri + "?reveal=true").data().at("/env_vars"))
        .isEqualTo(json(Map.of("C", "3")));
    assertThat(names(api.call("PUT", uri, "{\"env_vars\": {}}"))).isEmpty();
  }

  @Test
  void variablesThatAreWrongAreRefused() {
    Project project = api.plane.project("shop");
    String uri = envVars(project);

    for (String body :
        new String[] {
          "{}",
          "{\"env_vars\": {\"1A\": \"x\"}}",
          "{\"env_vars\": {\"A\": 1}}",
          "{\"env_vars\": {\"A\": \"%s\"}}".formatted("x".repeat(65_537)),
          "{\"env_vars\": [], \"more\": 1}"
        }) {
      assertThat(api.call("PUT", uri, body).code()).isEqualTo("invalid_request");
      assertThat(api.call("PATCH", uri, body).code()).isEqualTo("invalid_request");
    }
    assertThat(api.call("PUT", uri, "{\"env_vars\": {\"A\": null}}").status()).isEqualTo(400);
    assertThat(api.call("PATCH", uri, "{\"env_vars\": {}}").status()).isEqualTo(400);
    assertThat(names(api.get(uri))).containsExactly("GREETING");
  }

  @Test
  void regionsAndInstanceTypesSayWhatIsTheDefault() {
    assertThat(api.get("/v1/regions").data())
        .isEqualTo(
            json(
                List.of(
                    Map.of("name", "eu-west-1", "default", false),
                    Map.of("name", "us-east-1", "default", true))));
    JsonNode small = api.get("/v1/instance_types").data().get(0);
    assertThat(small.get("name").asText()).isEqualTo("small");
    assertThat(small.get("default").asBoolean()).isTrue();
    assertThat(small.get("memory_mb").asInt()).isEqualTo(512);
    assertThat(small.get("cpus").asDouble()).isEqualTo(0.5);
    assertThat(api.get("/v1/instance_types").data()).hasSize(2);
  }

  @Test
  void theAccountShowsItsTierAndWhatItAllows() {
    JsonNode account = api.get("/v1/account").data();

    assertThat(account.get("id").asText()).isEqualTo(api.plane.account.value());
    assertThat(account.get("tier").asText()).isEqualTo("free");
    assertThat(account.at("/limits/requests_per_minute").asInt()).isEqualTo(30);
    assertThat(account.at("/limits/concurrent_migrations").asInt()).isEqualTo(100);
  }

  private ApiPlace.Reply patch(Project project, String json) {
    return api.call("PATCH", uri(project), json);
  }

  private static String uri(Project project) {
    return "/v1/projects/" + project.id();
  }

  private static String envVars(Project project) {
    return uri(project) + "/env_vars";
  }

  private static List<String> names(JsonNode page) {
    return StreamSupport.stream(page.get("data").spliterator(), false)
        .map(project -> project.get("name").asText())
        .toList();
  }

  private static List<String> names(ApiPlace.Reply envVars) {
    return envVars.data().path("env_vars").properties().stream().map(Map.Entry::getKey).toList();
  }

  private static JsonNode json(Object value) {
    return new ObjectMapper().valueToTree(value);
  }
}
