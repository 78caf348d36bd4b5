package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.Secret;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import dev.slipway.dbproject.DatabaseWish;
import dev.slipway.deployment.Deployment;
import dev.slipway.preview.PreviewPlace;
import dev.slipway.project.Project;
import dev.slipway.webhook.Webhook;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * What holds for every operation of the contract, whatever is added to it: who may ask, what is
 * refused, and that each answer is one that the contract names.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryRouteTest {
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND");

  private final ContractDocument document = new ContractDocument("/openapi/slipway.yaml");
  private final ApiPlace api = new ApiPlace();
  private String otherKey = "";
  private String revokedKey = "";

  /** A record of the account for each name of a path parameter or of a body's field. */
  private Map<String, String> records = Map.of();

  @BeforeAll
  void makeRecords() {
    String migration =
        api.post("/v1/migrations", "{\"source\": \"github\", \"repo\": \"acme/shop\"}")
            .data()
            .get("id")
            .asText();
    api.plane.main.jobs.runDue();
    Project project = api.plane.project("blog");
    Deployment deployment = api.plane.deploy(project);
    DatabaseId database = addDatabase();
    Webhook webhook =
        api.webhooks
            .create(api.plane.account, "https://hooks.example.org/slipway", List.of())
            .webhook();
    records =
        Map.of(
            "webhook_id", webhook.id().value(),
            "delivery_id", api.webhooks.test(api.plane.account, webhook.id()).id().value(),
            "database_id", database.value(),
            "backup_id", addBackup(database).value(),
            "migration_id", migration,
            "deployment_id", deployment.id().value(),
            "project_id", project.id().value(),
            "preview_id", new PreviewPlace(api.plane, project).opened(1).value(),
            "domain_id",
                api.plane
                    .main
                    .domains
                    .add(api.plane.account, project.id(), "blog.example.com", Optional.empty())
                    .id()
                    .value());
    otherKey = api.addKey(api.plane.addAccount());
    revokedKey = api.addKey(api.plane.account);
    api.plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE api_key SET revoked_at = now() WHERE hash = sha256(convert_to(?, 'UTF8'))",
            revokedKey));
  }

  private DatabaseId addDatabase() {
    DatabasePlace place =
        new DatabasePlace(DatabaseType.POSTGRES, "db.example.org", 5432, "shop", Map.of());
    DatabaseWish wish =
        new DatabaseWish.Connect(
            new DatabaseLink(place, new DatabaseLogin("shop", new Secret("a-password"))));
    return api.plane.database.inTransaction(
        tx -> api.plane.databases.service().add(tx, api.plane.account, wish));
  }

  private BackupId addBackup(DatabaseId database) {
    BackupId backup = BackupId.next();
    api.plane.database.useTransaction(tx ->
        tx.execute(
            "INSERT INTO database_backup (id, database_id, status, reason, created_at, expires_at)"
                + " VALUES (?, ?, 'RUNNING', 'REQUEST', now(), now())",
            backup.value(),
            database.value()));
    return backup;
  }

  @AfterAll
  void close() {
    api.close();
  }

  @TestFactory
  Stream<DynamicTest> withoutAKeyItIsUnauthorized() {
    return each(operation -> {
      ApiPlace.Reply reply = call(operation, MultiMap.caseInsensitiveMultiMap());
      assertThat(reply.status()).isEqualTo(401);
      assertThat(reply.code()).isEqualTo("unauthorized");
      assertThat(reply.headers().get("WWW-Authenticate")).isEqualTo("Bearer");
    });
  }

  @TestFactory
  Stream<DynamicTest> withAWrongOrRevokedKeyItIsUnauthorized() {
    return each(operation -> {
      for (String header :
          List.of(
              "Bearer wrong-key-wrong-key-wrong-key-wrong",
              "Bearer " + revokedKey,
              "Bearer",
              "Bearer " + api.key + " more",
              "Basic " + api.key,
              api.key)) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("Authorization", header);
        assertThat(call(operation, headers).status()).as(header).isEqualTo(401);
      }
    });
  }

  @TestFactory
  Stream<DynamicTest> whatBelongsToAnotherAccountIsForbidden() {
    return each(
        this::namesARecord,
        operation -> {
          ApiPlace.Reply reply = call(operation, ApiPlace.authorized(otherKey));
          assertThat(reply.status()).as(reply.body()).isEqualTo(403);
          assertThat(reply.code()).isEqualTo("forbidden");
        });
  }

  @TestFactory
  Stream<DynamicTest> whatIsUnknownIsNotFound() {
    return each(
        operation -> operation.path().contains("{"),
        operation -> {
          for (String parameter : parameters(operation).toList()) {
            for (String id : List.of("dep_0", "x", "%00", "%F0%9F%9A%80", "%ff", "a%2Fb", "'")) {
              String path = path(operation.path().replace("{" + parameter + "}", id));
              ApiPlace.Reply reply = send(operation, path, key());
              assertThat(reply.status()).as("%s: %s", path, reply.body()).isEqualTo(404);
              assertThat(reply.code()).isEqualTo("not_found");
            }
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> anUnknownParameterIsRefused() {
    return each(operation -> {
      ApiPlace.Reply reply = send(operation, path(operation.path()) + "?dry=1&dry=2", key());
      assertThat(reply.status()).as(reply.body()).isEqualTo(400);
      assertThat(reply.message()).contains("dry: is not known");
    });
  }

  @TestFactory
  Stream<DynamicTest> aBodyThatIsNoObjectIsRefused() {
    return each(
        operation -> operation.body().filter(Contract.Body::isJson).isPresent(),
        operation -> {
          for (String body : List.of("", "[]", "null", "{")) {
            MultiMap headers = key().add("Content-Type", "application/json");
            ApiPlace.Reply reply =
                api.send(
                    operation.method(),
                    "/v1" + path(operation.path()),
                    headers,
                    Optional.of(body.getBytes(StandardCharsets.UTF_8)));
            assertThat(reply.status()).as(reply.body()).isEqualTo(400);
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> anotherMethodIsRefusedWithThoseThatArePossible() {
    Map<String, List<Contract.Operation>> paths =
        ApiPlace.CONTRACT.operations().stream()
            .collect(Collectors.groupingBy(Contract.Operation::path));
    return paths.entrySet().stream()
        .map(entry ->
            dynamicTest(entry.getKey(), () -> refusesOthers(entry.getKey(), entry.getValue())));
  }

  private void refusesOthers(String path, List<Contract.Operation> operations) {
    TreeSet<String> allowed = new TreeSet<>(List.of("OPTIONS"));
    operations.forEach(operation -> allowed.add(operation.method()));
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    for (String method : METHODS) {
      if (!allowed.contains(method)) {
        RawHttp.Response refused =
            api.raw(method, "/v1" + path(path), MultiMap.caseInsensitiveMultiMap());
        assertThat(refused.status()).as(method).isEqualTo(405);
        assertThat(refused.headers().get("Allow")).isEqualTo(String.join(", ", allowed));
        assertThat(refused.headers().contains("X-RateLimit-Limit")).isTrue();
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> theContractListsWhatEveryOperationMayAnswer() {
    return each(operation -> {
      List<Integer> always = new ArrayList<>(List.of(400, 401, 429, 500, 503));
      if (operation.path().contains("{")) {
        always.addAll(List.of(403, 404));
      }
      if (operation.method().equals("POST")) {
        always.addAll(List.of(409, 422));
        assertThat(operation.headers())
            .extracting(Contract.Parameter::name)
            .contains("Idempotency-Key");
      }
      if (operation.body().isPresent()) {
        always.addAll(List.of(413, 415));
      }
      assertThat(document.statuses(operation.id())).containsAll(always);
      for (int status : document.statuses(operation.id())) {
        assertThat(document.headers(operation.id(), status))
            .as("headers of %d", status)
            .contains(
                "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id");
      }
    });
  }

  @Test
  void everyPathParameterHasARecordHere() {
    List<String> unknown =
        ApiPlace.CONTRACT.operations().stream()
            .flatMap(EveryRouteTest::parameters)
            .filter(name -> !records.containsKey(name))
            .distinct()
            .toList();

    assertThat(unknown)
        .as("make a record for each of these in makeRecords, so that their routes are tested")
        .isEmpty();
  }

  private interface Check {
    void run(Contract.Operation operation);
  }

  private static Stream<DynamicTest> each(Check check) {
    return each(_ -> true, check);
  }

  private static Stream<DynamicTest> each(Predicate<Contract.Operation> concerned, Check check) {
    List<Contract.Operation> operations =
        ApiPlace.CONTRACT.operations().stream().filter(concerned).toList();
    assertThat(operations).as("the operations that this is about").isNotEmpty();
    return operations.stream()
        .map(operation -> dynamicTest(operation.id(), () -> check.run(operation)));
  }

  /** The names of the parameters of the operation's path. */
  private static Stream<String> parameters(Contract.Operation operation) {
    return PARAMETER.matcher(operation.path()).results().map(name -> name.group(1));
  }

  /** Whether the request names something that belongs to an account. */
  private boolean namesARecord(Contract.Operation operation) {
    return operation.path().contains("{")
        || document
            .example(operation.id())
            .filter(body -> records.keySet().stream().anyMatch(body::has))
            .isPresent();
  }

  private MultiMap key() {
    return ApiPlace.authorized(api.key);
  }

  private ApiPlace.Reply call(Contract.Operation operation, MultiMap headers) {
    return send(operation, path(operation.path()), headers);
  }

  private ApiPlace.Reply send(Contract.Operation operation, String path, MultiMap headers) {
    Optional<byte[]> body = operation.body().map(_ -> body(operation));
    operation.body().ifPresent(it -> headers.add("Content-Type", it.mediaType()));
    return api.send(operation.method(), "/v1" + path, headers, body);
  }

  private String path(String template) {
    return PARAMETER.matcher(template).replaceAll(this::recordOf);
  }

  private String recordOf(MatchResult parameter) {
    return records.getOrDefault(parameter.group(1), "x");
  }

  /** The contract's example, about our records; of a file, any. */
  private byte[] body(Contract.Operation operation) {
    if (!operation.body().orElseThrow().isJson()) {
      return new byte[] {'P', 'K'};
    }
    JsonNode example =
        document
            .example(operation.id())
            .orElseThrow(() ->
                new AssertionError(
                    "give the body of %s an example in the contract".formatted(operation.id())));
    ObjectNode body = example.deepCopy();
    records.forEach((name, id) -> {
      if (body.has(name)) {
        body.put(name, id);
      }
    });
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }
}
