package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.deployment.Deployment;
import dev.slipway.preview.Preview;
import dev.slipway.preview.PreviewPlace;
import dev.slipway.project.Project;
import dev.slipway.runtime.FakeRuntime;
import io.vertx.core.MultiMap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * What is behind previews of pull requests is no project and no deployment to anybody, whatever
 * operation of the contract is asked for.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PreviewsAreHiddenTest {
  private final ContractDocument document = new ContractDocument("/openapi/slipway.yaml");
  private final ApiPlace api = new ApiPlace();
  private final Project project = api.plane.project("shop");
  private final PreviewPlace shop = new PreviewPlace(api.plane, project);
  private ProjectId hiddenProject = new ProjectId("");
  private List<Deployment> hidden = List.of();
  private DeploymentId production = new DeploymentId("");

  /** In every state that there is. */
  @BeforeAll
  void makePreviews() {
    production = api.plane.deploy(project).id();
    Preview live = shop.live(1);
    shop.updated(1, PreviewPlace.SECOND);
    api.plane.main.jobs.runDue();
    api.plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    Preview failed = shop.live(2);
    Preview removed = shop.live(3);
    shop.closed(3);
    Preview queued = shop.read(shop.opened(4));
    hiddenProject = live.own().orElseThrow();
    hidden =
        Stream.of(live, failed, removed, queued)
            .flatMap(preview -> shop.deployments(preview).stream())
            .toList();
    assertThat(hidden).hasSize(5);
  }

  @AfterAll
  void close() {
    api.close();
  }

  @TestFactory
  Stream<DynamicTest> noListShowsThem() {
    return ApiPlace.CONTRACT.operations().stream()
        .filter(operation -> operation.method().equals("GET"))
        .filter(operation -> !operation.path().contains("/previews"))
        .filter(operation -> !operation.path().replace("{project_id}", "").contains("{"))
        .filter(operation ->
            operation.query().stream().anyMatch(query -> query.name().equals("cursor")))
        .map(operation ->
            dynamicTest(
                operation.id(),
                () -> {
                  String path = path(operation, project.id(), production);
                  String body = api.get("/v1" + path + "?limit=100").body();
                  assertShowsNothing(body);
                }));
  }

  @TestFactory
  Stream<DynamicTest> asAProjectItIsNotFound() {
    return operationsOn("project_id")
        .map(operation ->
            dynamicTest(
                operation.id(), () -> assertNotFound(operation, hiddenProject, production)));
  }

  @TestFactory
  Stream<DynamicTest> asADeploymentItIsNotFound() {
    return operationsOn("deployment_id")
        .flatMap(operation ->
            hidden.stream()
                .map(deployment ->
                    dynamicTest(
                        operation.id() + " of one that is " + deployment.status(),
                        () -> assertNotFound(operation, project.id(), deployment.id()))));
  }

  @Test
  void noFilterFindsThem() {
    assertThat(api.get("/v1/deployments?project_id=" + hiddenProject).status()).isEqualTo(404);
    for (String status : List.of("queued", "live", "failed", "rolled_back")) {
      assertShowsNothing(api.get("/v1/deployments?limit=100&status=" + status).body());
    }
    assertThat(api.get("/v1/deployments").json().get("data")).hasSize(1);
    assertThat(api.get("/v1/projects").json().get("data")).hasSize(1);
  }

  @Test
  void nothingIsToldOfThem() {
    assertThat(api.plane.count("event WHERE type LIKE 'DEPLOYMENT%'")).isPositive();
    assertThat(
            api.plane.count(
                "event e JOIN project p ON p.id = e.project_id AND p.preview_of IS NOT NULL"))
        .isZero();
  }

  @Test
  void whatTheDashboardAsksForBesidesShowsNoneOfThem() {
    var history = api.plane.main.deployments.history();
    List<DeploymentId> ids = hidden.stream().map(Deployment::id).toList();

    assertThat(history.of(api.plane.account, ids)).isEmpty();
    assertThat(history.latest(api.plane.account, List.of(hiddenProject))).isEmpty();
    assertThat(api.plane.main.projects.names(api.plane.account, List.of(hiddenProject))).isEmpty();
    assertThat(api.plane.main.projects.count(api.plane.account)).isEqualTo(1);
    assertThatThrownBy(
            () -> api.plane.main.projects.delete(api.plane.account, hiddenProject, false))
        .isInstanceOf(RequestException.class);
  }

  /** The name of a hidden row is nobody's. */
  @Test
  void theirNamesAreFree() {
    String name =
        api.plane.database.read(tx ->
            tx.createQuery("SELECT name FROM project WHERE id = ?")
                .bind(0, hiddenProject.value())
                .mapTo(String.class)
                .one());
    Project other = api.plane.project("other");

    ApiPlace.Reply renamed =
        api.call("PATCH", "/v1/projects/" + other.id(), ApiPlace.json(Map.of("name", name)));

    assertThat(renamed.status()).as(renamed.body()).isEqualTo(200);
    api.plane.main.projects.delete(api.plane.account, other.id(), false);
  }

  private void assertShowsNothing(String body) {
    assertThat(body).contains("\"data\"").doesNotContain(hiddenProject.value(), "--pr-");
    hidden.forEach(deployment ->
        assertThat(body).doesNotContain(deployment.id().value(), deployment.projectId().value()));
  }

  private void assertNotFound(
      Contract.Operation operation, ProjectId project, DeploymentId deployment) {
    MultiMap headers = ApiPlace.authorized(api.key);
    Optional<byte[]> body = operation.body().map(_ -> body(operation, project));
    operation.body().ifPresent(it -> headers.add("Content-Type", it.mediaType()));
    ApiPlace.Reply reply =
        api.send(operation.method(), "/v1" + path(operation, project, deployment), headers, body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(404);
    assertThat(reply.code()).isEqualTo("not_found");
  }

  /** Those that name one in their path or their body. */
  private Stream<Contract.Operation> operationsOn(String name) {
    return ApiPlace.CONTRACT.operations().stream()
        .filter(operation ->
            operation.path().contains("{" + name + "}")
                || document.example(operation.id()).filter(body -> body.has(name)).isPresent());
  }

  private static String path(
      Contract.Operation operation, ProjectId project, DeploymentId deployment) {
    return operation
        .path()
        .replace("{project_id}", project.value())
        .replace("{deployment_id}", deployment.value())
        .replaceAll("\\{\\w+}", "x");
  }

  private byte[] body(Contract.Operation operation, ProjectId project) {
    JsonNode example = document.example(operation.id()).orElseThrow();
    ObjectNode body = example.deepCopy();
    if (body.has("project_id")) {
      body.put("project_id", project.value());
    }
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }
}
