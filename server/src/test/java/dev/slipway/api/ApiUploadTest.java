package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.AccountId;
import dev.slipway.core.Eventually;
import dev.slipway.deployment.Plane;
import dev.slipway.source.zip.PackedZip;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The resource {@code /uploads}, and what is deployed from one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiUploadTest {
  private static final byte[] ZIP = PackedZip.of("package.json", "{}");
  private final ApiPlace api = new ApiPlace();
  private Set<Path> filesBefore = Set.of();
  private int uploadsBefore;

  @BeforeEach
  void look() {
    filesBefore = Set.copyOf(allFiles());
    uploadsBefore = api.plane.count("upload");
  }

  @AfterAll
  void close() {
    api.close();
  }

  @Test
  void anArchiveIsStoredAsItIs() throws IOException {
    ApiPlace.Reply reply = upload(ZIP, headers());

    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    assertThat(reply.data().get("id").asText()).startsWith("upl_");
    assertThat(reply.data().get("size_bytes").asInt()).isEqualTo(ZIP.length);
    assertThat(reply.data().get("sha256").asText()).matches("[0-9a-f]{64}");
    assertThat(reply.data().get("expires_at").asText()).startsWith("2026-11-22T09:3");
    assertThat(files()).hasSize(1);
    assertThat(files().getFirst()).hasBinaryContent(ZIP);
  }

  @Test
  void aLargeOneComesThroughWhole() throws IOException {
    byte[] large = new byte[Plane.MAX_UPLOAD_BYTES];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) ((i * 31) >> 8);
    }
    assertThat(upload(large, headers()).status()).isEqualTo(201);
    assertThat(files().getFirst()).hasBinaryContent(large);
  }

  @Test
  void oneThatIsTooLargeIsRefusedByItsLengthAndWithoutOne() throws IOException {
    byte[] tooLarge = new byte[Plane.MAX_UPLOAD_BYTES + 1];
    ApiPlace.Reply reply = upload(tooLarge, headers());
    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.code()).isEqualTo("payload_too_large");
    assertThat(reply.message()).contains("limits.upload_bytes");

    String head = head("Transfer-Encoding: chunked") + "400001\r\n";
    byte[] chunked = new byte[head.length() + tooLarge.length + 7];
    System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, chunked, 0, head.length());
    System.arraycopy(
        "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII), 0, chunked, chunked.length - 7, 7);
    assertThat(RawHttp.send(api.port(), chunked).orElseThrow().status()).isEqualTo(413);
    assertNothingIsLeft();
  }

  @Test
  void anAccountThatLeavesTooMuchUnusedIsToldSo() {
    AccountId other = api.plane.addAccount();
    api.plane.database.useTransaction(tx ->
        tx.execute(
            "INSERT INTO upload (id, account_id, size_bytes, sha256, name, created_at, kept_until)"
                + " VALUES ('upl_unused', ?, ?, '', 'shop.zip', now(), now())",
            other.value(),
            Plane.MAX_UNUSED_BYTES));
    MultiMap headers =
        ApiPlace.authorized(api.addKey(other)).add("Content-Type", "application/zip");

    ApiPlace.Reply reply = upload(ZIP, headers);

    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.code()).isEqualTo("conflict");
    assertThat(reply.message()).contains("limits.unused_uploads_bytes", "24 hours");
  }

  @Test
  void whatIsNoArchiveByItsTypeIsRefusedUnread() {
    for (String type : List.of("application/json", "application/zip2", "")) {
      ApiPlace.Reply reply = upload(ZIP, ApiPlace.authorized(api.key).add("Content-Type", type));
      assertThat(reply.status()).as(type).isEqualTo(415);
    }
    assertThat(upload(ZIP, headers().add("Content-Encoding", "gzip")).status()).isEqualTo(415);
    assertThat(upload(new byte[0], headers()).status()).isEqualTo(400);
    assertThat(upload(ZIP, headers().add("Idempotency-Key", "\"")).status()).isEqualTo(400);
    assertNothingIsLeft();
  }

  @Test
  void anUploadThatIsBrokenOffLeavesNothing() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
      OutputStream out = socket.getOutputStream();
      out.write((head("Content-Length: 1000") + "half").getBytes(StandardCharsets.US_ASCII));
      out.flush();
      Eventually.holds("it has begun", () -> !files().isEmpty());
    }
    assertNothingIsLeft();
  }

  @Test
  void aClientThatWaitsForLeaveIsGivenIt() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      out.write(
          head("Content-Length: 4\r\nExpect: 100-continue").getBytes(StandardCharsets.US_ASCII));
      out.flush();
      assertThat(new String(socket.getInputStream().readNBytes(25), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      out.write("text".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 201");
    }
  }

  @Test
  void sentAgainWithItsKeyItIsTheSameUpload() {
    ApiPlace.Reply first = upload(ZIP, headers().add("Idempotency-Key", "one"));
    ApiPlace.Reply second = upload(ZIP, headers().add("Idempotency-Key", "one"));
    ApiPlace.Reply other = upload(PackedZip.of("a", "b"), headers().add("Idempotency-Key", "one"));

    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.headers().get("Idempotency-Replayed")).isEqualTo("true");
    assertThat(other.status()).isEqualTo(422);
    assertThat(api.plane.count("upload")).isEqualTo(uploadsBefore + 1);
    Eventually.holds("one is left", () -> files().size() == 1);
  }

  @Test
  void anArchiveIsMigratedAndDeployedAgain() {
    JsonNode upload =
        upload(ZIP, headers().add("Content-Disposition", "attachment; filename=\"My Shop.zip\""))
            .data();
    JsonNode created = migrate(upload).data();
    api.plane.main.jobs.runDue();
    JsonNode migration = api.get("/v1/migrations/" + created.get("id").asText()).data();
    assertThat(migration.get("status").asText()).isEqualTo("complete");
    assertThat(migration.get("source").asText()).isEqualTo("zip");
    assertThat(migration.has("repo")).isFalse();
    assertThat(migration.has("branch")).isFalse();

    String project = created.get("project_id").asText();
    JsonNode shown = api.get("/v1/projects/" + project).data();
    assertThat(shown.get("name").asText()).isEqualTo("My Shop");
    assertThat(shown.get("url").asText()).isEqualTo("http://my-shop.localhost:8080");
    JsonNode first = api.get("/v1/deployments/" + migration.get("deployment_id").asText()).data();
    assertThat(first.get("commit_sha")).isEqualTo(upload.get("sha256"));
    assertThat(first.get("commit_message").asText()).isEqualTo("My Shop.zip");
    assertThat(first.has("branch")).isFalse();

    JsonNode next = upload(PackedZip.of("a", "b"), headers()).data();
    assertThat(deploy(project, ", \"upload_id\": " + next.get("id")).get("commit_sha"))
        .isEqualTo(next.get("sha256"));
    JsonNode again = deploy(project, ", \"env_vars\": {\"GREETING\": \"again\"}");
    assertThat(again.get("commit_sha")).isEqualTo(next.get("sha256"));
    assertThat(again.get("commit_message").asText()).isEqualTo("upload");
    assertThat(again.get("status").asText()).isEqualTo("live");
  }

  @Test
  void whatBelongsToAnotherSourceIsRefused() {
    JsonNode upload = upload(ZIP, headers()).data();
    String id = upload.get("id").asText();
    String zip = migrate(upload).data().get("project_id").asText();
    String git = api.plane.project("shop").id().value();

    assertThat(migration("\"source\": \"zip\"").message()).isEqualTo("upload_id: is required");
    assertThat(migration("\"source\": \"github\"").message()).isEqualTo("repo: is required");
    assertThat(
            migration(
                    "\"source\": \"zip\", \"upload_id\": \"x\", \"repo\": \"a/b\", \"branch\": \"c\"")
                .message())
        .contains("repo: is not taken where source is zip", "branch: is not taken");
    assertThat(
            migration("\"source\": \"github\", \"repo\": \"a/b\", \"upload_id\": \"x\"").message())
        .contains("upload_id: is not taken where source is github");
    assertThat(deployment(git, "\"upload_id\": \"%s\"".formatted(id)).message())
        .startsWith("upload_id: the project comes from the repository acme/shop");
    assertThat(deployment(zip, "\"commit_sha\": \"0123456\"").message())
        .startsWith("commit_sha: the project comes from archives");
    assertThat(
            deployment(zip, "\"commit_sha\": \"0123456\", \"upload_id\": \"%s\"".formatted(id))
                .message())
        .startsWith("upload_id: is not taken together");
    assertThat(api.call("PATCH", "/v1/projects/" + zip, "{\"branch\": \"x\"}").message())
        .startsWith("branch: the project comes from archives");
  }

  @Test
  void anUploadOfAnotherAccountIsForbiddenAndAnUnknownOneNotFound() {
    String id = upload(ZIP, headers()).data().get("id").asText();
    int projects = api.plane.count("project");
    String other = api.addKey(api.plane.addAccount());
    String body = "{\"source\": \"zip\", \"upload_id\": \"%s\"}";

    assertThat(api.postAs(other, "/v1/migrations", body.formatted(id)).status()).isEqualTo(403);
    ApiPlace.Reply unknown = api.post("/v1/migrations", body.formatted("upl_0"));
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.message()).contains("not used within 24 hours");
    assertThat(api.plane.count("project")).isEqualTo(projects);
  }

  private ApiPlace.Reply upload(byte[] body, MultiMap headers) {
    return api.send("POST", "/v1/uploads", headers, Optional.of(body));
  }

  private MultiMap headers() {
    return ApiPlace.authorized(api.key).add("Content-Type", "application/zip");
  }

  private String head(String more) {
    return "POST /v1/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/zip\r\n"
        + "Authorization: Bearer %s\r\n%s\r\n\r\n".formatted(api.key, more);
  }

  private ApiPlace.Reply migrate(JsonNode upload) {
    return migration("\"source\": \"zip\", \"upload_id\": " + upload.get("id"));
  }

  private ApiPlace.Reply migration(String fields) {
    return api.post("/v1/migrations", "{" + fields + "}");
  }

  private ApiPlace.Reply deployment(String project, String fields) {
    return api.post("/v1/deployments", "{\"project_id\": \"%s\", %s}".formatted(project, fields));
  }

  private JsonNode deploy(String project, String fields) {
    String id =
        api.post("/v1/deployments", "{\"project_id\": \"%s\"%s}".formatted(project, fields))
            .data()
            .get("id")
            .asText();
    api.plane.main.jobs.runDue();
    return api.get("/v1/deployments/" + id).data();
  }

  private void assertNothingIsLeft() {
    Eventually.holds("nothing is left", () -> files().isEmpty());
    assertThat(api.plane.count("upload")).isEqualTo(uploadsBefore);
  }

  /** Those that this test has made. */
  private List<Path> files() {
    return allFiles().stream().filter(file -> !filesBefore.contains(file)).toList();
  }

  private List<Path> allFiles() {
    try (Stream<Path> files = Files.list(api.plane.directory.resolve("uploads"))) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
