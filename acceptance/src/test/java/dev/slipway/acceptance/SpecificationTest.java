package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the API description states, and nothing else: read it beside this. Whatever is an extension
 * of ours is not mentioned here, and an answer may hold more than is asked of it.
 */
final class SpecificationTest {
  private static final Duration BUILD_LIMIT = Duration.ofMinutes(2);
  private static final Set<String> MIGRATION_STATES =
      Set.of("pending", "processing", "complete", "failed");
  private static final Set<String> DEPLOYMENT_STATES =
      Set.of("queued", "building", "deploying", "live", "failed", "rolled_back");
  private static final int FAILING_MIGRATIONS = 22;

  private static SlipwayProcess slipway;
  private static Repository repository;
  private static JsonNode created;
  private static String firstDeployment;
  private static String commit;
  private static JsonNode triggered;
  private static JsonNode rolledBack;

  /** One account with a bit of history: an app that was deployed twice and rolled back. */
  @BeforeAll
  static void someHistory() {
    slipway = SlipwayProcess.start();
    repository = slipway.repository();
    repository.commit(ExpressApp.named("first"));
    created =
        made(
            "/v1/migrations",
            """
            {"source": "folder", "repo": "%s", "framework": "node-express",
             "env_vars": {"GREETING": "hello"}}
            """
                .formatted(repository.name()));
    awaitState("/v1/migrations/" + id(created), "complete");
    firstDeployment = only("/v1/deployments?project_id=" + project()).get("id").asText();
    commit = repository.commit(ExpressApp.named("second"));
    repository.commit(ExpressApp.named("third"));
    triggered =
        made(
            "/v1/deployments",
            """
            {"project_id": "%s", "commit_sha": "%s", "env_vars": {"GREETING": "good day"}}
            """
                .formatted(project(), commit));
    awaitState("/v1/deployments/" + id(triggered), "live");
    rolledBack = made("/v1/deployments/" + firstDeployment + "/rollback", "");
    awaitState("/v1/deployments/" + id(rolledBack), "live");
    for (int i = 0; i < FAILING_MIGRATIONS; i++) {
      made("/v1/migrations", "{\"source\": \"folder\", \"repo\": \"acme/nothing%d\"}".formatted(i));
    }
    Wait.until(
        "all others have failed",
        BUILD_LIMIT,
        () -> items("/v1/migrations?limit=100&status=failed").size() == FAILING_MIGRATIONS);
  }

  @AfterAll
  static void end() {
    slipway.close();
  }

  // Resources and their fields

  @Test
  void theCreationOfAMigrationAnswersItsBeginning() {
    assertThat(created.get("status").asText()).isEqualTo("processing");
    assertTexts(created, "id", "project_id");
    assertTimes(created, "created_at");
  }

  @Test
  void aMigrationHasItsFields() {
    JsonNode migration = read("/v1/migrations/" + id(created));

    assertTexts(migration, "id", "project_id", "source", "repo", "branch", "framework", "status");
    assertThat(migration.get("source").asText()).isEqualTo("folder");
    assertThat(migration.get("repo").asText()).isEqualTo(repository.name());
    assertThat(migration.get("branch").asText()).isEqualTo("main");
    assertThat(migration.get("framework").asText()).isEqualTo("node-express");
    assertTimes(migration, "created_at", "completed_at");
    assertThat(read(path(migration.get("logs_url"))).get("logs")).isNotEmpty();
  }

  @Test
  void aListedMigrationHasNeitherDatabaseNorLogsUrl() {
    for (JsonNode migration : items("/v1/migrations?limit=100")) {
      assertTexts(migration, "id", "project_id", "source", "repo", "branch", "status");
      assertThat(MIGRATION_STATES).contains(migration.get("status").asText());
      assertTimes(migration, "created_at");
      assertThat(migration.has("database")).isFalse();
      assertThat(migration.has("logs_url")).isFalse();
    }
  }

  @Test
  void theTriggerOfADeploymentAnswersItsBeginning() {
    assertThat(triggered.get("status").asText()).isEqualTo("queued");
    assertThat(triggered.get("project_id").asText()).isEqualTo(project());
    assertTexts(triggered, "id");
    assertTimes(triggered, "created_at");
  }

  @Test
  void aDeploymentHasItsFields() {
    JsonNode deployment = read("/v1/deployments/" + id(triggered));

    assertListed(deployment);
    assertTexts(deployment, "region", "instance_type", "preview_url", "logs_url");
    assertThat(deployment.get("region").asText()).isEqualTo("us-east-1");
    assertThat(deployment.get("build_duration_seconds").isIntegralNumber()).isTrue();
    assertThat(read(path(deployment.get("logs_url"))).get("logs")).isNotEmpty();
  }

  @Test
  void aListedDeploymentHasNotTheFieldsOfTheSingleRead() {
    for (JsonNode deployment : items("/v1/deployments?limit=100&project_id=" + project())) {
      assertListed(deployment);
      assertThat(DEPLOYMENT_STATES).contains(deployment.get("status").asText());
      for (String detail :
          List.of("preview_url", "region", "instance_type", "build_duration_seconds", "logs_url")) {
        assertThat(deployment.has(detail)).as(detail).isFalse();
      }
    }
  }

  @Test
  void aRollbackAnswersWhatItLeavesAndWhereItGoes() {
    assertThat(rolledBack.get("status").asText()).isEqualTo("queued");
    assertThat(rolledBack.get("project_id").asText()).isEqualTo(project());
    assertThat(rolledBack.get("rolled_back_from").asText()).isEqualTo(id(triggered));
    assertThat(rolledBack.get("rolled_back_to").asText()).isEqualTo(firstDeployment);
    assertTexts(rolledBack, "id");
    assertTimes(rolledBack, "created_at");
  }

  @Test
  void aLogIsInOrder() {
    for (String path :
        List.of(
            "/v1/migrations/" + id(created) + "/logs",
            "/v1/deployments/" + firstDeployment + "/logs")) {
      List<JsonNode> entries = all(read(path).get("logs"));
      assertThat(entries).isNotEmpty();
      for (JsonNode entry : entries) {
        assertTexts(entry, "level");
        assertThat(entry.get("message").isTextual()).isTrue();
        assertTimes(entry, "timestamp");
      }
      assertThat(entries.stream().map(entry -> Instant.parse(entry.get("timestamp").asText())))
          .isSorted();
      assertThat(entries.stream().map(entry -> entry.get("level").asText()))
          .contains("info", "success");
    }
  }

  // States and transitions

  @Test
  void aRollbackRedeploysTheVeryCodeAndVariablesOfItsTarget() {
    String host =
        URI.create(read("/v1/deployments/" + firstDeployment).get("url").asText()).getAuthority();
    JsonNode rollback = read("/v1/deployments/" + id(rolledBack));

    assertThat(slipway.visit(host, "/").body()).isEqualTo("first hello");
    assertThat(rollback.get("commit_sha"))
        .isEqualTo(read("/v1/deployments/" + firstDeployment).get("commit_sha"));
    assertThat(read("/v1/deployments/" + id(triggered)).get("status").asText())
        .isEqualTo("rolled_back");
  }

  @Test
  void onlyWhatIsLiveOrRolledBackCanBeRolledBackTo() {
    JsonNode failed = items("/v1/deployments?status=failed&limit=1").getFirst();

    assertError(post("/v1/deployments/" + id(failed) + "/rollback", ""), 400);
  }

  @Test
  void aFailedMigrationSaysWhyInItsLog() {
    JsonNode failed = items("/v1/migrations?status=failed&limit=1").getFirst();

    List<JsonNode> log = all(read("/v1/migrations/" + id(failed) + "/logs").get("logs"));
    assertThat(log.getLast().get("message").asText()).contains("nothing");
    assertTimes(read("/v1/migrations/" + id(failed)), "completed_at");
  }

  // Endpoints

  @ParameterizedTest
  @ValueSource(strings = {"/v1/migrations", "/v1/deployments"})
  void aListHasTwentyItemsByDefaultAndAHundredAtMost(String list) {
    assertThat(items(list)).hasSize(20);
    assertThat(items(list + "?limit=1")).hasSize(1);
    assertThat(items(list + "?limit=100")).hasSizeGreaterThan(FAILING_MIGRATIONS);
    assertError(get(list + "?limit=101"), 400);
    assertError(get(list + "?limit=0"), 400);
    assertError(get(list + "?limit=x"), 400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/migrations?limit=7",
        "/v1/deployments?limit=7",
        "/v1/deployments?limit=2&status=failed"
      })
  void thePagesOfAListHoldEachItemOnceTheNewestFirst(String list) {
    List<JsonNode> seen = new ArrayList<>();
    String next = "";
    do {
      JsonNode page = ok(get(list + next)).json();
      seen.addAll(all(page.get("data")));
      JsonNode pagination = page.get("pagination");
      boolean more = pagination.get("has_more").booleanValue();
      assertThat(pagination.get("next_cursor").isNull()).isEqualTo(!more);
      next = more ? "&cursor=" + pagination.get("next_cursor").asText() : "";
    } while (!next.isEmpty());

    assertThat(seen.stream().map(SpecificationTest::id)).doesNotHaveDuplicates();
    assertThat(seen).hasSameSizeAs(items(list.replaceFirst("limit=\\d", "limit=100")));
    assertThat(seen.stream().map(item -> Instant.parse(item.get("created_at").asText())))
        .isSortedAccordingTo(Comparator.reverseOrder());
  }

  @ParameterizedTest
  @CsvSource({
    "migrations,  pending,     0", "migrations,  processing, 0",
    "migrations,  complete,    1", "migrations,  failed,     22",
    "deployments, queued,      0", "deployments, building,   0",
    "deployments, deploying,   0", "deployments, live,       2",
    "deployments, failed,     22", "deployments, rolled_back, 1",
  })
  void aListIsFilteredByStatus(String list, String status, int count) {
    List<JsonNode> found = items("/v1/" + list + "?limit=100&status=" + status);

    assertThat(found).hasSize(count);
    assertThat(found).allMatch(item -> item.get("status").asText().equals(status));
    assertError(get("/v1/" + list + "?status=sunk"), 400);
  }

  @Test
  void deploymentsAreFilteredByProject() {
    assertThat(items("/v1/deployments?limit=100&project_id=" + project()))
        .hasSize(3)
        .allMatch(deployment -> deployment.get("project_id").asText().equals(project()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"source\": \"folder\"}",
        "{\"source\": \"nowhere\", \"repo\": \"acme/shop\"}",
        "{\"source\": \"folder\", \"repo\": \"shop\"}",
        "{\"source\": \"folder\", \"repo\": \"acme/shop\", \"framework\": \"cobol\"}",
        "{\"source\": \"folder\", \"repo\": \"acme/shop\", \"env_vars\": {\"A\": 1}}",
        "{\"source\": \"folder\", \"repo\": \"acme/shop\", \"env_vars\": [\"A\"]}",
        "{\"source\": \"folder\", \"repo\": \"acme/shop\", \"region\": \"atlantis\"}",
        "[1, 2",
        "null",
        "\"text\""
      })
  void aMigrationThatIsNotValidIsRefused(String body) {
    assertError(post("/v1/migrations", body), 400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"project_id\": 7}", "[]", "{"})
  void aDeploymentThatIsNotValidIsRefused(String body) {
    assertError(post("/v1/deployments", body), 400);
  }

  @Test
  void aDeploymentOfACommitDeploysThatCommit() {
    JsonNode deployment = read("/v1/deployments/" + id(triggered));
    String preview = URI.create(deployment.get("preview_url").asText()).getAuthority();

    assertThat(deployment.get("commit_sha").asText()).isEqualTo(commit);
    assertThat(deployment.get("commit_message").asText()).isEqualTo("Change");
    assertThat(slipway.visit(preview, "/").body()).isEqualTo("second good day");
  }

  // Authentication and errors

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/migrations", "POST /v1/migrations", "GET /v1/migrations/x",
        "GET /v1/migrations/x/logs", "GET /v1/deployments", "POST /v1/deployments",
        "GET /v1/deployments/x", "POST /v1/deployments/x/rollback", "GET /v1/deployments/x/logs"
      })
  void eachRequestNeedsAKey(String operation) {
    String method = operation.split(" ", 2)[0];
    String path = operation.split(" ", 2)[1];
    for (HttpRequest.Builder request :
        List.of(
            slipway.api().anonymous(path),
            slipway.api().anonymous(path).header("Authorization", "Bearer wrong"),
            slipway.api().anonymous(path).header("Authorization", "Basic d3Jvbmc6d3Jvbmc="))) {
      request.method(method, BodyPublishers.noBody());
      assertError(slipway.api().send(request), 401);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/migrations/none",
        "/v1/migrations/none/logs",
        "/v1/deployments/none",
        "/v1/deployments/none/logs"
      })
  void whatIsNotThereIsNotFound(String path) {
    assertThat(assertError(get(path), 404)).isEqualTo("not_found");
  }

  @Test
  void aMissingProjectIsNamed() {
    Reply reply = post("/v1/deployments", "{\"project_id\": \"prj_none\"}");

    assertThat(assertError(reply, 404)).isEqualTo("not_found");
    assertThat(reply.json().at("/error/message").asText()).contains("prj_none");
    assertError(post("/v1/deployments/none/rollback", ""), 404);
  }

  // Limits

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/migrations", "/v1/deployments/none", "/v1/nothing", "/v1/migrations?limit=0"})
  void eachResponseTellsTheLimit(String path) {
    for (Reply reply : List.of(get(path), slipway.api().send(slipway.api().anonymous(path)))) {
      long limit = number(reply, "x-ratelimit-limit");
      assertThat(number(reply, "x-ratelimit-remaining")).isBetween(0L, limit);
      assertThat(number(reply, "x-ratelimit-reset")).isPositive();
    }
  }

  // Sample plant store

  @Test
  void aPlantIsMade() {
    Reply reply =
        post(
            "/sandbox/plants",
            "{\"id\": 9007199254740993, \"name\": \"fern\", \"tag\": \"green\"}");

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().get("name").asText()).isEqualTo("fern");
    assertThat(reply.json().get("tag").asText()).isEqualTo("green");
    assertThat(post("/sandbox/plants", "{\"id\": 1, \"name\": \"moss\"}").json().has("tag"))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"id\": 1}",
        "{\"name\": \"fern\"}",
        "{\"id\": \"1\", \"name\": \"fern\"}",
        "{\"id\": 1, \"name\": 2}",
        "{"
      })
  void aPlantThatIsNotValidIsRefused(String body) {
    Reply reply = post("/sandbox/plants", body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.json().get("error").isInt()).isTrue();
    assertThat(reply.json().get("message").asText()).isNotBlank();
  }

  @Test
  void aPlantNeedsABearer() {
    HttpRequest.Builder anonymous =
        slipway
            .api()
            .anonymous("/sandbox/plants")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"id\": 1, \"name\": \"fern\"}"));

    assertThat(slipway.api().send(anonymous).status()).isEqualTo(401);
  }

  private static void assertListed(JsonNode deployment) {
    assertTexts(
        deployment, "id", "project_id", "commit_sha", "commit_message", "branch", "status", "url");
    assertTimes(deployment, "created_at", "live_at");
  }

  private static void assertTexts(JsonNode object, String... fields) {
    for (String field : fields) {
      assertThat(object.path(field).isTextual()).as(field + " of " + object).isTrue();
      assertThat(object.get(field).asText()).as(field + " of " + object).isNotBlank();
    }
  }

  private static void assertTimes(JsonNode object, String... fields) {
    for (String field : fields) {
      assertThat(object.path(field).asText())
          .as(field + " of " + object)
          .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
    }
  }

  /** The error's code. */
  private static String assertError(Reply reply, int status) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(status);
    assertThat(reply.header("content-type")).hasValue("application/json");
    assertThat(reply.json().properties()).hasSize(1);
    JsonNode error = reply.json().get("error");
    assertThat(new HashSet<>(error.propertyStream().map(Map.Entry::getKey).toList()))
        .isEqualTo(Set.of("code", "message"));
    assertTexts(error, "code", "message");
    return error.get("code").asText();
  }

  private static long number(Reply reply, String header) {
    return Long.parseLong(
        reply.header(header).orElseThrow(() -> new AssertionError("no " + header)));
  }

  private static void awaitState(String path, String state) {
    Wait.until(
        path + " is " + state, BUILD_LIMIT, () -> read(path).get("status").asText().equals(state));
  }

  private static String project() {
    return created.get("project_id").asText();
  }

  private static String id(JsonNode object) {
    return object.get("id").asText();
  }

  private static String path(JsonNode url) {
    return URI.create(url.asText()).getRawPath();
  }

  private static Reply get(String path) {
    return slipway.api().send(slipway.api().request(path).GET());
  }

  private static Reply post(String path, String body) {
    return slipway.api().send(slipway.api().json(path, body));
  }

  private static Reply ok(Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.header("content-type")).hasValue("application/json");
    return reply;
  }

  private static JsonNode read(String path) {
    return ok(get(path)).json().get("data");
  }

  private static JsonNode made(String path, String body) {
    Reply reply = post(path, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return reply.json().get("data");
  }

  private static List<JsonNode> items(String path) {
    return all(ok(get(path)).json().get("data"));
  }

  private static JsonNode only(String path) {
    assertThat(items(path)).hasSize(1);
    return items(path).getFirst();
  }

  private static List<JsonNode> all(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }
}
