package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The edge is a process of its own, beside the one that is API, worker and store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EdgeAloneTest {
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private final SlipwayProcess slipway = SlipwayProcess.startWithoutEdge();
  private EdgeAlone edge = EdgeAlone.start(slipway);
  private final App app = slipway.migrate(ExpressApp.named("shop"), Map.of());

  @AfterAll
  void end() {
    slipway.close();
  }

  @Test
  void itServesFromItsDiskWhileAllElseIsDownAndFollowsAgain() {
    awaitAnswer(app.host(), "shop plain");
    int port = Integer.parseInt(slipway.visit(app.host(), "/port").body());
    Load load = Load.on(app, 4);
    try (load) {
      slipway.kill();
      int since = load.answers();
      Wait.until("visitors go on", LIMIT, () -> load.answers() > since + 50);
    }
    assertThat(load.failures()).isEmpty();
    Reply control = slipway.api().send(slipway.api().anonymous("/v1/projects"));
    assertThat(control.status()).isEqualTo(503);
    assertThat(control.json().at("/error/code").asText()).isEqualTo("unavailable");

    edge.kill();
    edge = EdgeAlone.start(slipway);
    assertThat(app.visit().body()).isEqualTo("shop plain");
    assertThat(edge.log()).contains("from its own disk");
    slipway.processesAt(port).keySet().forEach(ProcessTable::kill);
    assertThat(app.visit().status()).as("nobody can start it").isEqualTo(503);

    slipway.startAgain();
    awaitAnswer(app.host(), "shop plain");
    int second = Integer.parseInt(slipway.visit(app.host(), "/port").body());
    app.deploy(Map.of("GREETING", "again")).awaitLive();
    awaitAnswer(app.host(), "shop again");
    Wait.until("the one before is stopped", LIMIT, () -> !SlipwayProcess.listens(second));
    assertThat(slipway.visit(app.first().previewHost(), "/").body())
        .as("a stopped preview is started through it")
        .isEqualTo("shop plain");
  }

  @Test
  void whatIsUnderWayOutlivesADeploymentAndTheServerThatWasKilledAfterIt() throws IOException {
    App talk = slipway.migrate(ExpressApp.named("talk"), Map.of());
    awaitAnswer(talk.host(), "talk plain");
    try (OpenStream events = OpenStream.events(talk);
        OpenStream webSocket = OpenStream.webSocket(talk)) {
      talk.deploy(Map.of("GREETING", "again")).awaitLive();
      awaitAnswer(talk.host(), "talk again");

      slipway.kill();
      slipway.startAgain();

      events.awaitMore();
      webSocket.awaitMore();
    }
  }

  @Test
  void anotherTakesOverUnnoticedAndOneThatIsToldToStopLetsItsVisitorsFinish() throws IOException {
    Wait.until("it serves", LIMIT, () -> app.visit().status() == 200);
    Load load = Load.on(app, 8);
    try (load) {
      EdgeAlone before = edge;
      edge = EdgeAlone.start(slipway);
      assertThat(before.awaitEnd()).as("it ends by itself").isZero();
      int since = load.answers();
      Wait.until("visitors go on", LIMIT, () -> load.answers() > since + 50);
    }
    assertThat(load.failures()).isEmpty();

    try (OpenStream events = OpenStream.events(app)) {
      edge.terminate();
      Wait.until(
          "nobody new is let in",
          LIMIT,
          () -> !SlipwayProcess.listens(slipway.address().getPort()));
      events.awaitMore();
    }
    edge.awaitEnd();
    edge = EdgeAlone.start(slipway);
    assertThat(app.visit().status()).isEqualTo(200);
  }

  private void awaitAnswer(String host, String body) {
    Wait.until(
        host + " answers " + body, LIMIT, () -> slipway.visit(host, "/").body().equals(body));
  }
}
