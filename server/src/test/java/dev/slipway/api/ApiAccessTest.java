package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.slipway.deployment.Deployment;
import dev.slipway.project.Project;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Who may ask what: the same for every operation of the contract, whatever is added to it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiAccessTest {
  /** Of the operations that take something else than a project. */
  private static final Map<String, String> BODIES =
      Map.of(
          "updateProject", "{\"auto_deploy\": true}",
          "replaceEnvVars", "{\"env_vars\": {}}",
          "updateEnvVars", "{\"env_vars\": {\"A\": \"1\"}}",
          "addDomain", "{\"name\": \"www.example.org\"}");

  private final ApiPlace api = new ApiPlace();
  private String otherKey = "";
  private Map<String, String> ids = Map.of();

  @BeforeAll
  void deployOnce() {
    String migration =
        api.post("/v1/migrations", "{\"source\": \"github\", \"repo\": \"acme/shop\"}")
            .data()
            .get("id")
            .asText();
    api.plane.main.jobs.runDue();
    Project project = api.plane.project("blog");
    Deployment deployment = api.plane.deploy(project);
    ids =
        Map.of(
            "migration_id",
            migration,
            "deployment_id",
            deployment.id().value(),
            "project_id",
            project.id().value(),
            "domain_id",
            "dom_0");
    otherKey = api.addKey(api.plane.addAccount());
  }

  @AfterAll
  void close() {
    api.close();
  }

  @TestFactory
  Stream<DynamicTest> withoutAKeyItIsUnauthorized() {
    return each(operation -> {
      ApiPlace.Reply reply = call(operation, ids, MultiMap.caseInsensitiveMultiMap());
      assertThat(reply.status()).isEqualTo(401);
      assertThat(reply.code()).isEqualTo("unauthorized");
      assertThat(reply.headers().get("WWW-Authenticate")).isEqualTo("Bearer");
    });
  }

  @TestFactory
  Stream<DynamicTest> withAWrongKeyItIsUnauthorized() {
    return each(operation -> {
      for (String header :
          new String[] {
            "Bearer wrong-key-wrong-key-wrong-key-wrong",
            "Bearer",
            "Bearer " + api.key + " more",
            "Basic " + api.key,
            api.key
          }) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("Authorization", header);
        assertThat(call(operation, ids, headers).status()).as(header).isEqualTo(401);
      }
    });
  }

  @TestFactory
  Stream<DynamicTest> whatBelongsToAnotherAccountIsForbidden() {
    return each(operation -> {
      if (names(operation)) {
        ApiPlace.Reply reply = call(operation, ids, ApiPlace.authorized(otherKey));
        assertThat(reply.status()).as(reply.body()).isEqualTo(403);
        assertThat(reply.code()).isEqualTo("forbidden");
      }
    });
  }

  @TestFactory
  Stream<DynamicTest> whatIsUnknownIsNotFound() {
    return each(operation -> {
      for (String id : new String[] {"dep_0", "x", "%00", "%F0%9F%9A%80", "%ff", "a%2Fb", "'"}) {
        if (operation.path().contains("{")) {
          Map<String, String> unknown =
              Map.of("migration_id", id, "deployment_id", id, "project_id", id, "domain_id", id);
          ApiPlace.Reply reply = call(operation, unknown, ApiPlace.authorized(api.key));
          assertThat(reply.status()).as("%s: %s", id, reply.body()).isEqualTo(404);
          assertThat(reply.code()).isEqualTo("not_found");
        }
      }
    });
  }

  @Test
  void theProjectOfAFilterIsCheckedLikeAnyOther() {
    String uri = "/v1/deployments?project_id=";

    assertThat(api.getAs(otherKey, uri + ids.get("project_id")).status()).isEqualTo(403);
    assertThat(api.get(uri + "prj_unknown").status()).isEqualTo(404);
    assertThat(api.get(uri + ids.get("project_id")).status()).isEqualTo(200);
  }

  @Test
  void theProjectOfABodyIsCheckedLikeAnyOther() {
    assertThat(api.post("/v1/deployments", "{\"project_id\": \"prj_unknown\"}").status())
        .isEqualTo(404);
  }

  @Test
  void listsShowNothingOfOthers() {
    assertThat(api.getAs(otherKey, "/v1/migrations").data()).isEmpty();
    assertThat(api.getAs(otherKey, "/v1/deployments").data()).isEmpty();
  }

  @Test
  void aRevokedKeyIsRefusedAtOnce() {
    String key = api.addKey(api.plane.account);
    assertThat(api.getAs(key, "/v1/migrations").status()).isEqualTo(200);
    api.plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE api_key SET revoked_at = now() WHERE hash = sha256(convert_to(?, 'UTF8'))",
            key));

    assertThat(api.getAs(key, "/v1/migrations").status()).isEqualTo(401);
  }

  @Test
  void theSchemeIsReadWithoutRegardToCase() {
    MultiMap headers =
        MultiMap.caseInsensitiveMultiMap().add("authorization", "bearer  " + api.key);

    assertThat(api.send("GET", "/v1/migrations", headers, Optional.empty()).status())
        .isEqualTo(200);
  }

  private interface Check {
    void run(Contract.Operation operation);
  }

  private static Stream<DynamicTest> each(Check check) {
    return ApiPlace.CONTRACT.operations().stream()
        .map(operation -> dynamicTest(operation.id(), () -> check.run(operation)));
  }

  /** Whether the request names something that belongs to an account. */
  private static boolean names(Contract.Operation operation) {
    return operation.path().contains("{") || operation.id().equals("triggerDeployment");
  }

  private ApiPlace.Reply call(
      Contract.Operation operation, Map<String, String> path, MultiMap headers) {
    String uri = "/v1" + operation.path();
    for (Map.Entry<String, String> id : path.entrySet()) {
      uri = uri.replace("{" + id.getKey() + "}", id.getValue());
    }
    Optional<byte[]> body =
        operation
            .body()
            .map(any ->
                BODIES
                    .getOrDefault(
                        operation.id(), "{\"project_id\": \"%s\"}".formatted(ids.get("project_id")))
                    .getBytes(StandardCharsets.UTF_8));
    if (body.isPresent()) {
      headers.add("Content-Type", "application/json");
    }
    return api.send(operation.method(), uri, headers, body);
  }
}
