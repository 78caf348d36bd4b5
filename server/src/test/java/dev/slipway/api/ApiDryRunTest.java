package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.source.zip.PackedZip;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code POST /migrations?dry_run=true}. */
class ApiDryRunTest {
  private static final String MANIFEST =
      "{\"dependencies\": {\"express\": \"5\"}, \"scripts\": {\"start\": \"node server.js\"}}";
  private static final String GIT = "{\"source\": \"github\", \"repo\": \"acme/shop\"}";

  private final ApiPlace api = new ApiPlace();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void thePlanIsAnsweredAndNothingIsStored() throws IOException {
    api.plane.host.write("package.json", MANIFEST);
    api.plane.host.write("server.js", "");
    ApiPlace.Reply reply = dryRun(GIT);

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    JsonNode plan = reply.data().get("plan");
    assertThat(reply.data().get("framework").asText()).isEqualTo("node-express");
    assertThat(reply.data().get("root_directory").asText()).isEqualTo(".");
    assertThat(plan.at("/install/0/argv/0").asText()).isEqualTo("npm");
    assertThat(plan.at("/install/0/command").asText()).startsWith("npm ");
    assertThat(plan.at("/start/0/argv"))
        .extracting(JsonNode::asText)
        .containsExactly("node", "server.js");
    assertThat(plan.get("health_check_path").asText()).isEqualTo("/");
    assertThat(plan.has("site")).isFalse();
    assertThat(reply.data().get("findings")).isNotEmpty();
    assertNothingIsStored();
  }

  @Test
  void whatABuildWouldFailWithIsAnInvalidRequest() throws IOException {
    api.plane.host.write("README.md", "");
    ApiPlace.Reply reply = dryRun(GIT);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.code()).isEqualTo("invalid_request");
    assertThat(reply.message()).contains("package.json");
    assertNothingIsStored();
  }

  @Test
  void aHostThatDoesNotAnswerIsUnavailable() throws IOException {
    api.plane.host.failOnce(
        new AppFailure(FailureCode.SOURCE_UNREACHABLE, "The git host does not answer."));
    ApiPlace.Reply reply = dryRun(GIT);

    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.message()).isEqualTo("The git host does not answer.");
    assertNothingIsStored();
  }

  @Test
  void aRequestThatIsWrongIsRefusedAsAMigrationWouldBe() {
    assertThat(dryRun("{\"source\": \"zip\"}").message()).isEqualTo("upload_id: is required");
    assertThat(api.post("/v1/migrations?dry_run=yes", GIT).status()).isEqualTo(400);
    assertThat(api.post("/v1/migrations?dry_run=false", GIT).status()).isEqualTo(201);
  }

  @Test
  void anArchiveIsLookedIntoAndNotUsed() throws IOException {
    JsonNode upload = upload(PackedZip.of("package.json", MANIFEST)).data();
    String body = "{\"source\": \"zip\", \"upload_id\": %s}".formatted(upload.get("id"));
    ApiPlace.Reply reply = dryRun(body);

    assertThat(reply.status()).as(reply.body()).isIn(200, 400);
    assertThat(
            api.plane.count(
                "upload WHERE kept_until = TIMESTAMPTZ '%s'"
                    .formatted(upload.get("expires_at").asText())))
        .isEqualTo(1);
    String broken =
        "{\"source\": \"zip\", \"upload_id\": %s}"
            .formatted(upload(new byte[] {1}).data().get("id"));
    assertThat(dryRun(broken).message()).contains("it is not a zip file");
    assertNothingIsStored();
  }

  private ApiPlace.Reply dryRun(String body) {
    return api.post("/v1/migrations?dry_run=true", body);
  }

  private ApiPlace.Reply upload(byte[] bytes) {
    MultiMap headers = ApiPlace.authorized(api.key).add("Content-Type", "application/zip");
    return api.send("POST", "/v1/uploads", headers, Optional.of(bytes));
  }

  private void assertNothingIsStored() throws IOException {
    for (String table : List.of("project", "migration", "deployment", "run_log")) {
      assertThat(api.plane.count(table)).as(table).isZero();
    }
    try (Stream<Path> builds = Files.list(api.plane.directory.resolve("builds"))) {
      assertThat(builds).isEmpty();
    }
  }
}
