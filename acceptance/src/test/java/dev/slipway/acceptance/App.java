package dev.slipway.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * An application on a server.
 *
 * @param host at which it is asked
 * @param first the deployment of its migration
 */
record App(SlipwayProcess slipway, String project, String host, Deployment first) {
  /** Once its migration has a deployment; that may still fail. */
  static App of(SlipwayProcess slipway, JsonNode migration) {
    return new App(
        slipway,
        migration.get("project_id").asText(),
        URI.create(migration.get("url").asText()).getAuthority(),
        new Deployment(slipway, migration.get("deployment_id").asText()));
  }

  Reply visit() {
    return slipway.visit(host, "/");
  }

  Deployment deploy() {
    return deploy(Map.of());
  }

  Deployment deploy(Map<String, String> env) {
    return trigger(Map.of("project_id", project, "env_vars", env));
  }

  Deployment deployCommit(String sha) {
    return trigger(Map.of("project_id", project, "commit_sha", sha));
  }

  Deployment rollBackTo(Deployment target) {
    String path = "/v1/deployments/" + target.id() + "/rollback";
    return new Deployment(slipway, slipway.api().post(path, Map.of()).get("id").asText());
  }

  /** Says how many instances there shall be. */
  void wantInstances(int instances) {
    Reply reply =
        slipway
            .api()
            .send(
                slipway
                    .api()
                    .request("/v1/projects/" + project)
                    .header("Content-Type", "application/json")
                    .method(
                        "PATCH",
                        BodyPublishers.ofString("{\"instances\": %d}".formatted(instances))));
    if (reply.status() != 200) {
      throw new AssertionError("answered " + reply);
    }
  }

  int instancesRunning() {
    return slipway.api().get("/v1/projects/" + project).get("instances_running").asInt();
  }

  /** The deployments that say that they serve now. */
  List<String> current() {
    JsonNode all = slipway.api().get("/v1/deployments?limit=100&project_id=" + project);
    return StreamSupport.stream(all.spliterator(), false)
        .filter(deployment -> deployment.get("current").asBoolean())
        .map(deployment -> deployment.get("id").asText())
        .toList();
  }

  private Deployment trigger(Map<String, ?> body) {
    return new Deployment(slipway, slipway.api().post("/v1/deployments", body).get("id").asText());
  }
}
