package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedSlipway.class)
final class DeploymentTest {
  private final SlipwayProcess slipway;

  DeploymentTest(SlipwayProcess slipway) {
    this.slipway = slipway;
  }

  @Test
  void anAppGoesLiveIsDeployedAgainAndRolledBack() {
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.named("one"));
    App app = slipway.migrate(repository, Map.of("GREETING", "hello"));
    assertThat(app.visit().body()).isEqualTo("one hello");
    assertThat(app.first().log().lines().toList()).last().asString().startsWith("success Live at ");

    String commit = repository.commit(ExpressApp.named("two"));
    Deployment second = app.deploy(Map.of("GREETING", "good day")).awaitLive();
    assertThat(app.visit().body()).isEqualTo("two good day");
    assertThat(second.read().get("commit_sha").asText()).isEqualTo(commit);
    assertThat(app.first().status()).isEqualTo("live");
    assertThat(app.current()).containsExactly(second.id());

    Deployment rollback = app.rollBackTo(app.first()).awaitLive();
    assertThat(app.visit().body()).isEqualTo("one hello");
    assertThat(second.status()).isEqualTo("rolled_back");
    assertThat(app.current()).containsExactly(rollback.id());
    assertThat(rollback.read().get("source_deployment_id").asText()).isEqualTo(app.first().id());

    Deployment third = app.deploy().awaitLive();
    assertThat(app.visit().body())
        .as("the variables of a deployment are its own")
        .isEqualTo("two hello");
    assertThat(app.rollBackTo(second).awaitLive().status()).isEqualTo("live");
    assertThat(app.visit().body()).isEqualTo("two good day");
    assertThat(third.status()).isEqualTo("rolled_back");
  }

  @Test
  void eachDeploymentHasAnAddressOfItsOwnThatWakesIt() {
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.named("old"));
    App app = slipway.migrate(repository, Map.of());
    int port = Integer.parseInt(slipway.visit(app.host(), "/port").body());
    repository.commit(ExpressApp.named("new"));
    Deployment second = app.deploy().awaitLive();

    Reply current = slipway.visit(second.previewHost(), "/");
    assertThat(current.body()).isEqualTo("new plain");
    assertThat(current.header("x-robots-tag")).hasValue("noindex");
    assertThat(app.visit().header("x-robots-tag")).isEmpty();

    Wait.until(
        "the replaced one is stopped",
        SlipwayProcess.DRAIN.plus(Duration.ofSeconds(15)),
        () -> !SlipwayProcess.listens(port));
    Reply woken = slipway.visit(app.first().previewHost(), "/");
    assertThat(woken.status()).isEqualTo(200);
    assertThat(woken.body()).isEqualTo("old plain");
    assertThat(woken.header("x-robots-tag")).hasValue("noindex");
    assertThat(app.visit().body()).as("waking a preview moves no traffic").isEqualTo("new plain");
  }

  @Test
  void theLogTellsEachStepInOrder() {
    App app = slipway.migrate(ExpressApp.named("log"));

    assertThat(app.first().log())
        .containsSubsequence(
            "Deployment " + app.first().id() + " is queued.",
            "Commit ",
            "node-express",
            "The release has",
            "Starting the program",
            "The program answered",
            "success Live at http://" + app.host());
    assertThat(app.first().read().get("build_duration_seconds").asInt()).isNotNegative();
  }
}
