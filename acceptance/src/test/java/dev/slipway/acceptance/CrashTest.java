package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The server, its store, an app, or all of them are killed while an app serves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CrashTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private SlipwayProcess slipway = SlipwayProcess.start();
  private App app = slipway.migrate(ExpressApp.named("steady"), Map.of("GREETING", "on"));

  @AfterAll
  void end() {
    slipway.close();
  }

  @Test
  void theAppNeverNoticesThatTheServerIsKilled() {
    int port = port();
    Map<Long, String> before = slipway.processesAt(port);
    String born = slipway.visit(app.host(), "/born").body();
    assertThat(before).isNotEmpty();

    Load ownPort = Load.onPort(app, port, 2);
    try (ownPort) {
      slipway.kill();
      int sinceKill = ownPort.answers();
      Wait.until("the app answers alone", LIMIT, () -> ownPort.answers() > sinceKill + 20);
      slipway.startAgain();
      assertThat(slipway.visit(app.host(), "/born").body()).isEqualTo(born);
    }

    assertThat(ownPort.failures()).isEmpty();
    assertThat(slipway.processesAt(port)).isEqualTo(before);
    assertThat(app.first().isCurrent()).isTrue();
  }

  @Test
  void theAppGoesOnWhenTheServerIsToldToStop() {
    int port = port();
    Map<Long, String> before = slipway.processesAt(port);

    Load ownPort = Load.onPort(app, port, 2);
    try (ownPort) {
      slipway.terminate();
      assertThat(slipway.processes().keySet())
          .as("the server and its store have ended, the app has not")
          .isEqualTo(slipway.appProcesses().keySet());
      slipway.startAgain();
    }

    assertThat(ownPort.failures()).isEmpty();
    assertThat(slipway.processesAt(port)).isEqualTo(before);
    assertThat(app.visit().body()).isEqualTo("steady on");
  }

  @Test
  void visitorsWaitWhileACrashedProgramIsStartedAgain() {
    noVisitorFailsAfter(() ->
        slipway.processesAt(port()).entrySet().stream()
            .filter(process -> process.getValue().startsWith("node"))
            .forEach(process -> ProcessTable.kill(process.getKey())));
  }

  @Test
  void visitorsWaitWhileAProgramKilledWithItsSupervisorIsStartedAgain() {
    noVisitorFailsAfter(() -> slipway.processesAt(port()).keySet().forEach(ProcessTable::kill));
  }

  // Those who come afterwards: what was under way when the program died may be told so.
  private void noVisitorFailsAfter(Runnable crash) {
    for (int round = 1; round <= 3; round++) {
      String born = slipway.visit(app.host(), "/born").body();
      crash.run();
      Load load = Load.on(app, 8);
      try (load) {
        Wait.until(
            "a new process answers",
            LIMIT,
            () -> !slipway.visit(app.host(), "/born").body().equals(born));
        int since = load.answers();
        Wait.until("the visitors go on", LIMIT, () -> load.answers() > since + 20);
      }
      assertThat(load.failures()).isEmpty();
    }
  }

  @Test
  void aKilledAppIsStartedAgainWithoutVisitors() {
    List<String> before = slipway.directories("instances");
    slipway.processesAt(port()).keySet().forEach(ProcessTable::kill);

    Wait.until(
        "another runs in its place",
        LIMIT,
        () ->
            !slipway.directories("instances").equals(before)
                && slipway.directories("instances").size() == before.size()
                && slipway.instances().stream().allMatch(it -> SlipwayProcess.listens(it.port())));
    assertThat(app.visit().body()).isEqualTo("steady on");
  }

  @Test
  void nothingAcceptedIsLostWhenPostgresIsKilled() {
    Repository repository = slipway.repository();
    repository.commit(ExpressApp.named("accepted"));
    Load load = Load.on(app, 2);
    Deployment accepted;
    try (load) {
      accepted = slipway.beginMigration("folder", repository.name(), Map.of()).first();
      store().keySet().forEach(ProcessTable::kill);
      Wait.until(
          "the service is ready again",
          LIMIT,
          () -> slipway.api().send(slipway.api().anonymous("/readyz")).status() == 200);
    }

    accepted.awaitLive();
    assertThat(accepted.log()).contains("is queued.", "success Live at");
    assertThat(load.failures()).isEmpty();
  }

  @Test
  void whatShouldRunIsStartedAgainWhenAllWentDown() {
    String born = slipway.visit(app.host(), "/born").body();
    slipway.kill();
    Wait.until(
        "nothing runs",
        LIMIT,
        () -> {
          slipway.processes().keySet().forEach(ProcessTable::kill);
          return slipway.processes().isEmpty();
        });

    slipway.startAgain();

    assertThat(app.visit().body()).isEqualTo("steady on");
    assertThat(slipway.visit(app.host(), "/born").body()).isNotEqualTo(born);
    Wait.until(
        "one instance, one directory",
        LIMIT,
        () ->
            slipway.instances().stream().filter(it -> SlipwayProcess.listens(it.port())).count()
                == slipway.directories("instances").size());
  }

  @Test
  void killedWhileItStartsMoreInstancesItHasAsManyAfterwards() {
    String born = slipway.visit(app.host(), "/born").body();
    int before = slipway.directories("instances").size();
    Load ownPort = Load.onPort(app, port(), 2);
    try (ownPort) {
      app.wantInstances(3);
      slipway.kill();
      slipway.startAgain();
      awaitInstances(3, before + 2);
    } finally {
      app.wantInstances(1);
      awaitInstances(1, before);
    }

    assertThat(ownPort.failures()).isEmpty();
    assertThat(slipway.visit(app.host(), "/born").body()).isEqualTo(born);
  }

  /**
   * @param directories of this application's and others' instances
   */
  private void awaitInstances(int running, int directories) {
    Wait.until(
        running + " instances, none left over",
        LIMIT.multipliedBy(3),
        () ->
            app.instancesRunning() == running
                && slipway.directories("instances").size() == directories);
  }

  private int port() {
    return Integer.parseInt(slipway.visit(app.host(), "/port").body());
  }

  private Map<Long, String> store() {
    return ProcessTable.of(slipway.dataDir().resolve("postgres"));
  }
}
