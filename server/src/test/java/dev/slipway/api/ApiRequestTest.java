package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.EnvVars;
import dev.slipway.deployment.Deployment;
import dev.slipway.project.Project;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken, what is refused, and in which words. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiRequestTest {
  private static final String SHOP = "{\"source\": \"github\", \"repo\": \"acme/shop\"%s}";
  private final ApiPlace api = new ApiPlace();

  @AfterAll
  void close() {
    api.close();
  }

  @Test
  void aMigrationIsCreatedWithItsDefaults() {
    ApiPlace.Reply created = api.post("/v1/migrations", SHOP.formatted(""));
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.data().get("status").asText()).isEqualTo("processing");
    assertThat(created.data().get("created_at").asText())
        .matches("2026-11-21T09:3\\d:\\d\\d\\.000Z");

    String id = created.data().get("id").asText();
    JsonNode read = api.get("/v1/migrations/" + id).data();
    assertThat(read.get("branch").asText()).isEqualTo("main");
    assertThat(read.get("logs_url").asText())
        .isEqualTo("http://localhost:8080/v1/migrations/" + id + "/logs");
    assertThat(read.has("completed_at")).isFalse();
    assertThat(read.has("error")).isFalse();
    String deployment = read.get("deployment_id").asText();
    JsonNode detail = api.get("/v1/deployments/" + deployment).data();
    assertThat(detail.get("region").asText()).isEqualTo("us-east-1");
    assertThat(detail.get("instance_type").asText()).isEqualTo("small");
    assertThat(detail.get("preview_url").isNull()).isTrue();
    assertThat(detail.has("live_at")).isFalse();
  }

  @Test
  void aDeploymentIsTriggeredReadAndRolledBackTo() {
    Project project = api.plane.project("shop-to-roll-back");
    Deployment first = api.plane.deploy(project);
    ApiPlace.Reply triggered =
        api.post(
            "/v1/deployments",
            ApiPlace.json(
                Map.of(
                    "project_id", project.id().value(),
                    "commit_sha", "0123456789ABCDEF",
                    "env_vars", Map.of("GREETING", "again"))));
    assertThat(triggered.status()).isEqualTo(201);
    assertThat(triggered.data().get("status").asText()).isEqualTo("queued");
    api.plane.main.jobs.runDue();
    String second = triggered.data().get("id").asText();

    JsonNode live = api.get("/v1/deployments/" + second).data();
    assertThat(live.get("status").asText()).isEqualTo("live");
    assertThat(live.get("current").asBoolean()).isTrue();
    assertThat(live.get("commit_sha").asText()).hasSize(40);
    assertThat(live.get("preview_url").asText()).startsWith("http://shop-to-roll-back--");
    assertThat(api.get("/v1/deployments/" + first.id()).data().get("current").asBoolean())
        .isFalse();

    ApiPlace.Reply rollback = api.post("/v1/deployments/" + first.id() + "/rollback", "");
    assertThat(rollback.status()).isEqualTo(201);
    assertThat(rollback.data().get("rolled_back_from").asText()).isEqualTo(second);
    assertThat(rollback.data().get("rolled_back_to").asText()).isEqualTo(first.id().value());
    assertThat(rollback.data().get("status").asText()).isEqualTo("queued");
    api.plane.main.jobs.runDue();
    JsonNode record = api.get("/v1/deployments/" + rollback.data().get("id").asText()).data();
    assertThat(record.get("trigger").asText()).isEqualTo("rollback");
    assertThat(record.get("build_duration_seconds").asInt()).isZero();
    assertThat(api.get("/v1/deployments/" + second).data().get("status").asText())
        .isEqualTo("rolled_back");
  }

  @Test
  void aRollbackToWhatNeverServedIsRefused() {
    Deployment queued = api.plane.trigger(api.plane.project("never-live"), EnvVars.NONE);

    ApiPlace.Reply refused = api.post("/v1/deployments/" + queued.id() + "/rollback", "");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("rollback_not_allowed");
  }

  @Test
  void allFaultsOfARequestAreToldAtOnceEachWithItsPlace() {
    ApiPlace.Reply refused =
        api.post(
            "/v1/migrations?dry=1",
            "{\"source\": 5, \"repo\": \"shop\", \"framwork\": \"nextjs\","
                + " \"env_vars\": {\"A\": 1, \"B-C\": \"x\"}}");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_request");
    assertThat(refused.message())
        .contains("dry: is not known")
        .contains("source: ")
        .contains("repo: ")
        .contains("framwork: is not known; did you mean framework?")
        .contains("env_vars.A: ")
        .contains("B-C");
  }

  @Test
  void whatTheServerDoesNotOfferIsToldWithWhatItDoes() {
    ApiPlace.Reply refused =
        api.post(
            "/v1/migrations",
            "{\"source\": \"gitlab\", \"repo\": \"acme/shop\", \"branch\": \"a..b\","
                + " \"framework\": \"nextjs\", \"region\": \"mars\", \"instance_type\": \"huge\"}");

    assertThat(refused.message())
        .isEqualTo(
            "source: gitlab is not available on this server; choose one of github, zip;"
                + " branch: a..b is not a branch name;"
                + " framework: nextjs is not available on this server; node-express is;"
                + " region: mars is not available on this server; choose one of eu-west-1, us-east-1;"
                + " instance_type: huge is not available on this server; choose one of small, large");
  }

  @Test
  void aMistypedCommitDoesNotDeployTheHead() {
    Project project = api.plane.project("mistyped");
    ApiPlace.Reply refused =
        api.post(
            "/v1/deployments",
            "{\"project_id\": \"%s\", \"comit_sha\": \"0123456\"}".formatted(project.id()));

    assertThat(refused.message()).isEqualTo("comit_sha: is not known; did you mean commit_sha?");
    assertThat(api.get("/v1/deployments?project_id=" + project.id()).data()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{} {}",
        "not json",
        "{\"source\": \"github\", \"source\": \"github\", \"repo\": \"acme/shop\"}",
        "{\"source\": \"github\", \"repo\": \"acme/shop\", \"branch\": \"a\\u0000b\"}",
        "{\"source\": \"github\", \"repo\": \"acme/shop\", \"branch\": \"\\ud800\"}",
        "{\"source\": \"github\", \"repo\": \"acme/shop\", \"branch\": \"\\udc00\\ud800\"}",
        "{\"sou\\u0000rce\": \"github\"}",
        "{\"env_vars\": {\"A\": \"\\u0000\"}}",
        "{\"a\": 01}",
        "{'a': 1}"
      })
  void aBodyThatIsNoProperJsonIsRefusedAsThat(String body) {
    ApiPlace.Reply refused = api.post("/v1/migrations", body);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "null", "5", "\"text\"", "1e400", "-0"})
  void aBodyThatIsNoObjectIsAnInvalidRequest(String body) {
    ApiPlace.Reply refused = api.post("/v1/migrations", body);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_request");
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() {
    MultiMap headers = ApiPlace.authorized(api.key).add("Content-Type", "application/json");
    byte[] latin = "{\"source\": \"\u00e4\"}".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(api.send("POST", "/v1/migrations", headers, Optional.of(latin)).code())
        .isEqualTo("invalid_json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"commit_sha\": \"abc\"}", "[]", "x"})
  void aBodyWhereNoneIsTakenIsNotOverlooked(String body) {
    ApiPlace.Reply refused = api.post("/v1/deployments/dep_unknown/rollback", body);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).contains("takes no body");
    assertThat(api.post("/v1/deployments/dep_unknown/rollback", "{}").status()).isEqualTo(404);
    assertThat(api.post("/v1/deployments/dep_unknown/rollback", "").status()).isEqualTo(404);
  }

  @Test
  void deepNestingAndHugeNumbersAreRefusedQuietly() {
    for (String body :
        new String[] {
          "[".repeat(200_000),
          "{\"a\":".repeat(900) + "1" + "}".repeat(900),
          "{\"source\": 1" + "0".repeat(100_000) + "}",
          "{\"source\": 1e999999999, \"repo\": -1e999999999}",
          "{\"" + "x".repeat(100_000) + "\": 1}"
        }) {
      ApiPlace.Reply refused = api.post("/v1/migrations", body);
      assertThat(refused.status()).as(body.substring(0, 20)).isEqualTo(400);
      assertThat(refused.message()).hasSizeLessThan(250_000);
    }
  }

  @Test
  void variablesHaveTheirLimits() {
    assertThat(postEnv(Map.of("A", "x".repeat(64 << 10))).status()).isEqualTo(201);
    assertThat(postEnv(Map.of("A", "x".repeat((64 << 10) + 1))).status()).isEqualTo(400);
    assertThat(postEnv(Map.of("A", "\u00e4".repeat(40_000))).message())
        .isEqualTo("env_vars.A: has 80000 bytes; at most 64 KiB are allowed");
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      many.put("V" + i, "x");
    }
    assertThat(postEnv(many).status()).isEqualTo(201);
    many.put("ONE_MORE", "x");
    assertThat(postEnv(many).status()).isEqualTo(400);
    Map<String, String> large = new HashMap<>();
    for (int i = 0; i < 9; i++) {
      large.put("V" + i, "x".repeat(60_000));
    }
    assertThat(postEnv(large).message()).contains("at most 512 KiB are allowed");
  }

  @Test
  void aBodyThatIsTooLargeIsRefusedAfterTheKey() {
    byte[] large = "x".repeat(ApiPlace.MAX_JSON_BYTES + 1).getBytes(StandardCharsets.UTF_8);
    MultiMap headers = ApiPlace.authorized(api.key).add("Content-Type", "application/json");
    MultiMap anonymous = MultiMap.caseInsensitiveMultiMap().add("Content-Type", "application/json");

    ApiPlace.Reply refused = api.send("POST", "/v1/migrations", headers, Optional.of(large));
    assertThat(refused.status()).isEqualTo(413);
    assertThat(refused.code()).isEqualTo("payload_too_large");
    assertThat(api.send("POST", "/v1/migrations", anonymous, Optional.of(large)).status())
        .isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "application/json; charset=latin1",
        "application/jsonp",
        "application/merge-patch+json"
      })
  void aBodyOfAnotherTypeIsRefused(String type) {
    MultiMap headers = ApiPlace.authorized(api.key).add("Content-Type", type);
    byte[] body = SHOP.formatted("").getBytes(StandardCharsets.UTF_8);

    ApiPlace.Reply refused = api.send("POST", "/v1/migrations", headers, Optional.of(body));

    assertThat(refused.status()).as(refused.body()).isEqualTo(415);
    assertThat(refused.code()).isEqualTo("unsupported_media_type");
  }

  @Test
  void theTypeMayNameItsCharacters() {
    MultiMap headers =
        ApiPlace.authorized(api.key).add("Content-Type", "Application/JSON; charset=\"UTF-8\"");
    byte[] body = SHOP.formatted("").getBytes(StandardCharsets.UTF_8);

    assertThat(api.send("POST", "/v1/migrations", headers, Optional.of(body)).status())
        .isEqualTo(201);
  }

  @Test
  void anotherMethodIsRefusedWithThoseThatArePossibleEvenWithoutAKey() {
    MultiMap none = MultiMap.caseInsensitiveMultiMap();

    ApiPlace.Reply refused = api.send("DELETE", "/v1/migrations", none, Optional.empty());
    assertThat(refused.status()).isEqualTo(405);
    assertThat(refused.code()).isEqualTo("method_not_allowed");
    assertThat(refused.headers().get("Allow")).isEqualTo("GET, HEAD, OPTIONS, POST");
    assertThat(
            api.send("GET", "/v1/deployments/dep_1/rollback", none, Optional.empty())
                .headers()
                .get("Allow"))
        .isEqualTo("OPTIONS, POST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/v1", "/v2/migrations", "/v1/nothing", "/v1/migrations/a/b", "/favicon.ico"})
  void anUnknownPathIsNotFoundEvenWithoutAKey(String path) {
    ApiPlace.Reply refused =
        api.send("GET", path, MultiMap.caseInsensitiveMultiMap(), Optional.empty());

    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.message()).contains(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/%zz", "/v1/migrations/%zz", "/v1/migrations?limit=%zz", "/v1/migrations?%zz"})
  void aMalformedAddressIsABadRequest(String uri) {
    ApiPlace.Reply refused = api.get(uri);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_request");
  }

  @Test
  void aSaneRequestIdIsTakenOverAndAnyOtherReplaced() {
    MultiMap sane = ApiPlace.authorized(api.key).add("X-Request-Id", "build-17:deploy_3.1");
    MultiMap odd = ApiPlace.authorized(api.key).add("X-Request-Id", "<script> " + "x".repeat(200));

    assertThat(
            api.send("GET", "/v1/migrations", sane, Optional.empty()).headers().get("X-Request-Id"))
        .isEqualTo("build-17:deploy_3.1");
    assertThat(
            api.send("GET", "/v1/migrations", odd, Optional.empty()).headers().get("X-Request-Id"))
        .matches("[0-9a-f-]{36}");
  }

  @Test
  void aParameterThatIsNotKnownOrGivenTwiceIsRefused() {
    assertThat(api.get("/v1/deployments?projectid=x").message())
        .isEqualTo("projectid: is not known; did you mean project_id?");
    assertThat(api.get("/v1/deployments?limit=1&limit=2").message())
        .isEqualTo("limit: is given more than once");
    assertThat(api.get("/v1/migrations?project_id=%00").status()).isEqualTo(400);
    assertThat(api.get("/v1/deployments?project_id=%00").message())
        .isEqualTo("project_id: holds a NUL; no text may");
    assertThat(api.get("/v1/migrations?status=live").status()).isEqualTo(400);
  }

  @Test
  void aSingleReadTakesNoParameters() {
    Deployment deployment = api.plane.trigger(api.plane.project("parameters"), EnvVars.NONE);

    ApiPlace.Reply refused = api.get("/v1/deployments/" + deployment.id() + "?limit=5");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).isEqualTo("limit: is not known; none is taken here");
  }

  private ApiPlace.Reply postEnv(Map<String, String> env) {
    return api.post(
        "/v1/migrations",
        ApiPlace.json(Map.of("source", "github", "repo", "acme/env", "env_vars", env)));
  }
}
