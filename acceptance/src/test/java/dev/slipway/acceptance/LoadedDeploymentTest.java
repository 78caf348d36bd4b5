package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedSlipway.class)
final class LoadedDeploymentTest {
  private static final int CONNECTIONS = 64;
  private static final Duration AFTER_DRAIN = Duration.ofSeconds(5);

  private final SlipwayProcess slipway;

  LoadedDeploymentTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void noRequestIsLostByDeploymentsAndRollbacks() {
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.named("v0"));
    App app = slipway.migrate(repository, Map.of("GREETING", "hello"));

    Load load = Load.on(app, CONNECTIONS);
    try (load) {
      for (int round = 1; round <= 3; round++) {
        repository.commit(ExpressApp.named("v" + round));
        app.deploy(Map.of("GREETING", "round " + round)).awaitLive();
        awaitAnswer(app, "v%1$d round %1$d".formatted(round));
        app.rollBackTo(app.first()).awaitLive();
        awaitAnswer(app, "v0 hello");
      }
    }
    assertThat(load.failures()).isEmpty();
    assertThat(load.answers()).isGreaterThan(1000);
  }

  // The edge learns of the new route some milliseconds after the record says live, more under load.
  private static void awaitAnswer(App app, String body) {
    Wait.until(body, Duration.ofSeconds(1), () -> app.visit().body().equals(body));
    assertThat(app.visit().body()).as("it does not go back").isEqualTo(body);
  }

  @Test
  void streamsEndOnlyWhenTheTimeToDrainIsOver() throws IOException {
    App app = slipway.migrate(ExpressApp.named("streams"));

    try (OpenStream events = OpenStream.events(app);
        OpenStream webSocket = OpenStream.webSocket(app)) {
      events.awaitMore();
      webSocket.awaitMore();
      Deployment next = app.deploy(Map.of("GREETING", "again")).awaitLive();
      assertThat(app.visit().body()).isEqualTo("streams again");
      events.awaitMore();
      webSocket.awaitMore();

      Instant earliest = next.liveAt().plus(SlipwayProcess.DRAIN);
      Duration limit = SlipwayProcess.DRAIN.plus(AFTER_DRAIN);
      assertThat(events.awaitEnd(limit)).isAfterOrEqualTo(earliest);
      assertThat(webSocket.awaitEnd(limit)).isAfterOrEqualTo(earliest);
    }
  }
}
