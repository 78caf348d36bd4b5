package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedSlipway.class)
final class BrokenCommitTest {
  private final SlipwayProcess slipway;

  BrokenCommitTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void aProgramThatThrowsAtItsStartFailsWithItsOwnLastLines() {
    Deployment broken =
        failsWhileTheOldOneServes(
            """
            console.log("about to begin");
            throw new Error("no such table: plants");
            """);

    assertThat(broken.errorCode()).isEqualTo("start_failed");
    assertThat(broken.errorMessage()).contains("status 1");
    assertThat(broken.log())
        .containsSubsequence(
            "about to begin", "Error: no such table: plants", "error ", "status 1");
  }

  @Test
  void aProgramThatEndsWellBeforeItAnswersFailsToo() {
    Deployment broken = failsWhileTheOldOneServes("console.log('nothing to do');");

    assertThat(broken.errorCode()).isEqualTo("start_failed");
    assertThat(broken.errorMessage()).contains("without an error");
    assertThat(broken.log()).contains("nothing to do");
  }

  // All wait until the limit of the health check, and so wait together.
  @Test
  void whatNeverListensOrListensElsewhereOrAnswers500IsNotHealthy() {
    Repository silent = slipway.repository();
    silent.commit(ExpressApp.program("console.log('hm'); setInterval(() => {}, 1000);"));
    Repository stubborn = slipway.repository();
    stubborn.commit(
        ExpressApp.program(
            """
            const server = require("express")().listen(0, () => console.log(server.address()));
            """));
    Repository ill = slipway.repository();
    ill.commit(
        ExpressApp.program(
            """
            require("express")()
              .get("/", (_, answer) => answer.status(500).send("ill"))
              .listen(process.env.PORT);
            """));
    Deployment silentOne = slipway.beginMigration("folder", silent.name(), Map.of()).first();
    Deployment stubbornOne = slipway.beginMigration("folder", stubborn.name(), Map.of()).first();
    Deployment illOne = slipway.beginMigration("folder", ill.name(), Map.of()).first();

    assertThat(silentOne.awaitFailed().errorCode()).isEqualTo("health_check_failed");
    assertThat(silentOne.errorMessage()).contains("PORT");
    assertThat(silentOne.log()).contains("info hm");
    assertThat(stubbornOne.awaitFailed().errorCode()).isEqualTo("health_check_failed");
    assertThat(stubbornOne.errorMessage())
        .containsPattern("listens on port \\d+ and not on \\d+, which PORT names");
    assertThat(illOne.awaitFailed().errorCode()).isEqualTo("health_check_failed");
    assertThat(illOne.errorMessage()).contains("500");
  }

  private Deployment failsWhileTheOldOneServes(String program) {
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.named("good"));
    App app = slipway.migrate(repository, Map.of());
    repository.commit(ExpressApp.program(program));
    Load load = Load.on(app, 4);
    Deployment broken;
    try (load) {
      broken = app.deploy().awaitFailed();
    }
    assertThat(load.failures()).isEmpty();
    assertThat(load.answers()).isPositive();
    assertThat(app.visit().body()).isEqualTo("good plain");
    assertThat(app.first().isCurrent()).isTrue();
    return broken;
  }
}
