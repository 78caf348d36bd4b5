package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.deployment.Deployment;
import dev.slipway.project.Project;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code POST …/cancel} of deployments and migrations. */
class ApiCancelTest {
  private final ApiPlace api = new ApiPlace();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aCanceledDeploymentIsAnsweredAsItsSingleReadShowsIt() {
    Deployment queued = api.plane.trigger(api.plane.project("shop"));

    ApiPlace.Reply canceled = cancel("deployments/" + queued.id());

    assertThat(canceled.status()).isEqualTo(200);
    assertThat(canceled.data()).isEqualTo(api.get("/v1/deployments/" + queued.id()).data());
    assertThat(canceled.data().get("status").asText()).isEqualTo("failed");
    assertThat(canceled.data().at("/error/code").asText()).isEqualTo("canceled");
    assertThat(cancel("deployments/" + queued.id()).body()).isEqualTo(canceled.body());
  }

  @Test
  void aCanceledMigrationIsAnsweredAsItsSingleReadShowsIt() {
    String id = migrate();

    ApiPlace.Reply canceled = cancel("migrations/" + id);

    assertThat(canceled.status()).isEqualTo(200);
    assertThat(canceled.data()).isEqualTo(api.get("/v1/migrations/" + id).data());
    assertThat(canceled.data().get("status").asText()).isEqualTo("failed");
    assertThat(canceled.data().at("/error/code").asText()).isEqualTo("canceled");
    assertThat(canceled.data().has("completed_at")).isTrue();
    assertThat(cancel("migrations/" + id).body()).isEqualTo(canceled.body());
    String deployment = canceled.data().get("deployment_id").asText();
    assertThat(api.get("/v1/deployments/" + deployment).data().at("/error/code").asText())
        .isEqualTo("canceled");
  }

  @Test
  void whatHasEndedOtherwiseIsAConflict() {
    String migration = migrate();
    api.plane.main.jobs.runDue();
    JsonNode complete = api.get("/v1/migrations/" + migration).data();

    for (String path :
        new String[] {
          "migrations/" + migration, "deployments/" + complete.get("deployment_id").asText()
        }) {
      ApiPlace.Reply refused = cancel(path);
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.code()).isEqualTo("conflict");
      assertThat(refused.message()).contains(path.substring(path.indexOf('/') + 1));
    }
    assertThat(api.get("/v1/migrations/" + migration).data()).isEqualTo(complete);
  }

  @Test
  void anotherAccountsIsForbiddenAndAnUnknownOneIsNotFound() {
    Project shop = api.plane.project("shop");
    String deployment = "/v1/deployments/" + api.plane.trigger(shop).id() + "/cancel";
    String migration = "/v1/migrations/" + migrate() + "/cancel";
    String other = api.addKey(api.plane.addAccount());

    for (String uri : new String[] {deployment, migration}) {
      assertThat(postAs(other, uri).status()).isEqualTo(403);
      assertThat(postAs(api.key, uri.replaceAll("_[^/]+", "_none")).status()).isEqualTo(404);
      assertThat(postAs(api.key, uri + "?force=1").code()).isEqualTo("invalid_request");
    }
  }

  private String migrate() {
    return api.post("/v1/migrations", "{\"source\": \"github\", \"repo\": \"acme/shop\"}")
        .data()
        .get("id")
        .asText();
  }

  private ApiPlace.Reply cancel(String path) {
    return postAs(api.key, "/v1/" + path + "/cancel");
  }

  private ApiPlace.Reply postAs(String key, String uri) {
    return api.send("POST", uri, ApiPlace.authorized(key), Optional.empty());
  }
}
