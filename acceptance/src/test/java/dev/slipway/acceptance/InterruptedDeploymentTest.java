package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The server is killed in each phase of a deployment, while a second one waits for the only build
 * slot. Started again, it finishes both and leaves nothing behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InterruptedDeploymentTest {
  private static final Duration TAKEN_UP = Duration.ofSeconds(10);
  private static final Duration CLEARED = Duration.ofSeconds(20);

  /** Stays in its phase this long, which is longer than the server takes to be killed. */
  private static final String SECONDS = "4";

  private final SlipwayProcess slipway;
  private final GitServer git;

  InterruptedDeploymentTest() throws IOException {
    SlipwayProcess[] made = new SlipwayProcess[1];
    git = GitServer.start(() -> made[0].gitFolder());
    made[0] =
        SlipwayProcess.start(gitFolder ->
            Map.of(
                "repo_hosts",
                "[{kind: folder, url: \"file://%s\"}, {kind: git, url: \"%s\"}]"
                    .formatted(gitFolder, git.address())));
    slipway = made[0];
  }

  @AfterAll
  void end() {
    git.close();
    slipway.close();
  }

  @Test
  void fetch() {
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.named("fetched"));
    git.hold();
    App app = slipway.beginMigration("git", repository.name(), Map.of());
    Deployment waiting = another();
    git.awaitAsked();

    slipway.kill();
    git.letGo();
    slipway.startAgain();

    endsWell(app, waiting, "fetched plain");
  }

  @Test
  void install() {
    Repository repository = slipway.repository();
    repository.commit(
        ExpressApp.withScript(
            "preinstall",
            "echo the slow step begins && sleep " + SECONDS,
            "require('express')().get('/', (_, a) => a.send('installed')).listen(process.env.PORT)"));
    App app = slipway.beginMigration("folder", repository.name(), Map.of());
    Deployment waiting = another();
    app.first().awaitLog("the slow step begins");

    slipway.kill();
    slipway.startAgain();

    endsWell(app, waiting, "installed");
  }

  @Test
  void startOfTheProgram() {
    killedWhileDeploying(
        """
        setTimeout(
          () => require("express")().get("/", (_, a) => a.send("late")).listen(process.env.PORT),
          @SECONDS@ * 1000);
        """,
        false,
        "late");
  }

  @Test
  void healthCheck() {
    killedWhileDeploying(
        """
        const ready = Date.now() + @SECONDS@ * 1000;
        require("express")()
          .get("/", (_, a) => a.status(Date.now() < ready ? 503 : 200).send("healed"))
          .listen(process.env.PORT);
        """,
        true,
        "healed");
  }

  private void killedWhileDeploying(String program, boolean listens, String answer) {
    List<String> before = slipway.directories("instances");
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.program(program.replace("@SECONDS@", SECONDS)));
    App app = slipway.beginMigration("folder", repository.name(), Map.of());
    app.first().awaitStatus("deploying");
    Wait.until(
        "its program runs",
        TAKEN_UP,
        () ->
            slipway.instances().stream()
                .filter(instance -> !before.contains(instance.name()))
                .anyMatch(instance ->
                    instance.runs("node") && SlipwayProcess.listens(instance.port()) == listens));
    Deployment waiting = another();

    slipway.kill();
    slipway.startAgain();

    endsWell(app, waiting, answer);
  }

  /** One more migration, which has to wait for the build slot. */
  private Deployment another() {
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.named("waiting"));
    return slipway.beginMigration("folder", repository.name(), Map.of()).first();
  }

  private void endsWell(App app, Deployment waiting, String answer) {
    Wait.until(
        "the interrupted one goes on or has ended",
        TAKEN_UP,
        () -> !app.first().status().equals("queued"));
    app.first().awaitLive();
    waiting.awaitLive();
    assertThat(app.visit().body()).isEqualTo(answer);
    assertThat(app.first().log())
        .containsSubsequence("is queued.", "Commit ", "The release has", "success Live at");
    assertThat(waiting.log()).doesNotContain("error ");
    Wait.until("no build is left", CLEARED, () -> slipway.directories("builds").isEmpty());
    Wait.until(
        "each instance answers, and no other process is left",
        CLEARED,
        () ->
            slipway.instances().stream().allMatch(it -> SlipwayProcess.listens(it.port()))
                && slipway.instances().size() == live()
                && ProcessTable.of(slipway.dataDir().resolve("builds")).isEmpty());
  }

  private int live() {
    return slipway.api().get("/v1/deployments?status=live&limit=100").size();
  }
}
