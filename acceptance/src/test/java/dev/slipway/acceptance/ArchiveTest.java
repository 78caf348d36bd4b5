package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedSlipway.class)
final class ArchiveTest {
  private final SlipwayProcess slipway;

  ArchiveTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void anArchiveGoesLiveAndIsDeployedAgainWithOtherVariables() throws IOException {
    JsonNode upload = upload(ExpressApp.named("packed"));
    JsonNode made =
        slipway
            .api()
            .post(
                "/v1/migrations", Map.of("source", "zip", "upload_id", upload.get("id").asText()));
    App app = App.of(slipway, slipway.api().get("/v1/migrations/" + made.get("id").asText()));
    app.first().awaitLive();

    assertThat(app.visit().body()).isEqualTo("packed plain");
    assertThat(app.first().read().get("commit_sha")).isEqualTo(upload.get("sha256"));
    assertThat(app.first().read().get("commit_message").asText()).isEqualTo("packed.zip");

    Deployment again = app.deploy(Map.of("GREETING", "again"));
    again.awaitLive();
    assertThat(app.visit().body()).isEqualTo("packed again");
    assertThat(again.read().get("commit_sha")).isEqualTo(upload.get("sha256"));
  }

  private JsonNode upload(Map<String, String> files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, String> file : files.entrySet()) {
        // As a folder is packed: all below its name.
        zip.putNextEntry(new ZipEntry("packed/" + file.getKey()));
        zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    Reply reply =
        slipway
            .api()
            .send(
                slipway
                    .api()
                    .request("/v1/uploads")
                    .header("Content-Type", "application/zip")
                    .header("Content-Disposition", "attachment; filename=\"packed.zip\"")
                    .POST(BodyPublishers.ofByteArray(bytes.toByteArray())));
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return reply.json().get("data");
  }
}
