package dev.slipway.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** What the bench asks of the service. Thread-safe. */
final class Api implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String base;
  private final String key;

  Api(int port, String key) {
    this.base = "http://127.0.0.1:" + port;
    this.key = key;
  }

  /** A migration that has been asked for. */
  record Migration(String id, String project) {}

  Migration migrate(String repo, Map<String, String> env) throws IOException, InterruptedException {
    return migrate(Map.of("source", BenchServer.SOURCE, "repo", repo, "env_vars", env));
  }

  /**
   * @param database as the field {@code database} takes it
   */
  Migration migrate(String repo, Map<String, String> env, Map<String, String> database)
      throws IOException, InterruptedException {
    return migrate(
        Map.of("source", BenchServer.SOURCE, "repo", repo, "env_vars", env, "database", database));
  }

  private Migration migrate(Map<String, ?> body) throws IOException, InterruptedException {
    JsonNode data = post("/v1/migrations", body);
    return new Migration(data.get("id").asText(), data.get("project_id").asText());
  }

  JsonNode database(String id) throws IOException, InterruptedException {
    return get("/v1/databases/" + id);
  }

  /** With how to log in. */
  JsonNode revealed(String id) throws IOException, InterruptedException {
    return get("/v1/databases/" + id + "?reveal=true");
  }

  JsonNode migration(String id) throws IOException, InterruptedException {
    return get("/v1/migrations/" + id);
  }

  /** Answers the id of the deployment. */
  String deploy(String project, Map<String, String> env) throws IOException, InterruptedException {
    return post("/v1/deployments", Map.of("project_id", project, "env_vars", env))
        .get("id")
        .asText();
  }

  /** Answers the id of the rollback's own deployment. */
  String rollback(String target) throws IOException, InterruptedException {
    return data(request("/v1/deployments/" + target + "/rollback")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build())
        .get("id")
        .asText();
  }

  JsonNode deployment(String id) throws IOException, InterruptedException {
    return get("/v1/deployments/" + id);
  }

  /**
   * Returns when the migration has ended, which its event stream tells without being asked again.
   */
  JsonNode migrated(String id) throws IOException, InterruptedException {
    follow("/v1/migrations/" + id);
    return migration(id);
  }

  /** Returns when the deployment is live or has failed. */
  JsonNode deployed(String id) throws IOException, InterruptedException {
    follow("/v1/deployments/" + id);
    return deployment(id);
  }

  private void follow(String path) throws IOException, InterruptedException {
    HttpRequest request =
        request(path + "/logs").header("Accept", "text/event-stream").GET().build();
    try (Stream<String> lines = http.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
      if (lines.noneMatch("event: end"::equals)) {
        throw new IllegalStateException("the log of " + path + " broke off");
      }
    }
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return data(request(path).GET().build());
  }

  private JsonNode post(String path, Map<String, ?> body) throws IOException, InterruptedException {
    return data(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .header("Authorization", "Bearer " + key)
        .timeout(TIMEOUT);
  }

  private JsonNode data(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() >= 400) {
      throw new IllegalStateException(
          "%s answered %d: %s".formatted(request.uri(), response.statusCode(), response.body()));
    }
    return JSON.readTree(response.body()).get("data");
  }

  @Override
  public void close() {
    http.close();
  }
}
