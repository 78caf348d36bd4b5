package dev.slipway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A database of the account, read anew from the API at each question. */
record Database(SlipwayProcess slipway, String id) {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** That of an application. */
  static Database of(App app) {
    JsonNode project = app.slipway().api().get("/v1/projects/" + app.project());
    return new Database(app.slipway(), project.at("/database/project_id").asText());
  }

  JsonNode read() {
    return slipway.api().get(path(""));
  }

  /** How to log in. */
  JsonNode revealed() {
    return slipway.api().get(path("?reveal=true")).get("connection");
  }

  void rotate() {
    answered(slipway.api().json(path("/rotate"), "{}"));
    awaitStatus("ready");
  }

  /**
   * @return its id
   */
  String backUp() {
    String id = slipway.api().post(path("/backups"), Map.of()).get("id").asText();
    return Wait.until(
        id + " is complete",
        LIMIT,
        () -> {
          for (JsonNode backup : slipway.api().get(path("/backups"))) {
            if (backup.get("id").asText().equals(id)
                && !backup.get("status").asText().equals("running")) {
              if (!backup.get("status").asText().equals("complete")) {
                throw new AssertionError("no backup: " + backup);
              }
              return Optional.of(id);
            }
          }
          return Optional.empty();
        });
  }

  void restore(String backup) {
    answered(slipway.api().json(path("/backups/" + backup + "/restore"), "{}"));
    awaitStatus("ready");
  }

  void drop() {
    answered(slipway.api().request(path("")).DELETE());
    awaitStatus("dropped");
  }

  private void awaitStatus(String status) {
    Wait.until(id + " is " + status, LIMIT, () -> read().get("status").asText().equals(status));
  }

  private void answered(HttpRequest.Builder request) {
    Reply reply = slipway.api().send(request);
    if (reply.status() != 200) {
      throw new AssertionError("answered " + reply);
    }
  }

  private String path(String more) {
    return "/v1/databases/" + id + more;
  }
}
