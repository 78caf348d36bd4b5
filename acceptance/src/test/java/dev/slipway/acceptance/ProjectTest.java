package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedSlipway.class)
final class ProjectTest {
  private static final int VISITORS = 16;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final SlipwayProcess slipway;

  ProjectTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void aProjectIsConfiguredRestartedWithoutLossAndDeleted() {
    App app = slipway.migrate(ExpressApp.named("shop"));
    String project = "/v1/projects/" + app.project();

    assertThat(send("PATCH", project + "/env_vars", "{\"env_vars\": {\"GREETING\": \"again\"}}"))
        .isEqualTo(200);
    assertThat(app.visit().body()).isEqualTo("shop plain");
    app.deploy().awaitLive();
    Wait.until("the new variable", LIMIT, () -> app.visit().body().equals("shop again"));

    String born = slipway.visit(app.host(), "/born").body();
    Load load = Load.on(app, VISITORS);
    try (load) {
      int before = load.answers();
      assertThat(send("POST", project + "/restart", "")).isEqualTo(200);
      Wait.until("the restart is done", LIMIT, () -> restart(project).equals("done"));
      Wait.until(
          "a new program", LIMIT, () -> !slipway.visit(app.host(), "/born").body().equals(born));
      int then = load.answers();
      assertThat(then).isGreaterThan(before);
      Wait.until("requests go on", LIMIT, () -> load.answers() > then + VISITORS);
    }
    assertThat(load.failures()).isEmpty();

    assertThat(send("DELETE", project, "")).isEqualTo(200);
    Wait.until("the address is gone", LIMIT, () -> app.visit().status() == 404);
    assertThat(send("GET", project, "")).isEqualTo(404);
    assertThat(app.first().status()).isEqualTo("live");
  }

  private String restart(String project) {
    JsonNode shown = slipway.api().get(project);
    return shown.at("/restart/status").asText();
  }

  private int send(String method, String path, String json) {
    var request = slipway.api().request(path);
    if (json.isEmpty()) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", "application/json")
          .method(method, BodyPublishers.ofString(json));
    }
    return slipway.api().send(request).status();
  }
}
