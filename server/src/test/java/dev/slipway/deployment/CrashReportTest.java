package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.EnvVars;
import dev.slipway.core.Eventually;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.edge.Waker;
import dev.slipway.project.Crashing;
import dev.slipway.project.Project;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runtime.FakeRuntime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A program that crashes again and again, with nobody waiting for the pauses between. */
class CrashReportTest {
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void afterManyCrashesItIsLeftAloneAndItsOwnerIsTold() {
    Deployment live = plane.deploy(shop);
    crashManyTimes(live);
    Crashing crashing = reported();

    assertThat(crashing.since()).isEqualTo(plane.clock.instant());
    assertThat(crashing.failure().code()).isEqualTo(FailureCode.START_FAILED);
    assertThat(crashing.failure().message())
        .startsWith(
            "The program ended with status 1 0 s after its start. That was 10 times in a row.");
    assertThat(printed(live))
        .containsExactly(
            new LogEntry(crashing.since(), LogLevel.ERROR, crashing.failure().message()));
    assertThat(plane.lastLine(live).level()).isEqualTo(LogLevel.SUCCESS);
    assertThat(plane.main.service().get(plane.account, live.id()).crashing()).contains(crashing);
    assertThatThrownBy(() -> plane.main.wake(live.id()).join())
        .hasCauseInstanceOf(Waker.Crashing.class);
  }

  @Test
  void itsLastLinesAreInTheLogAndMasked() throws InterruptedException {
    Deployment live =
        plane.trigger(shop, new EnvVars(Map.of("DATABASE_URL", "postgres://ada:s3cret-of-ada@db")));
    plane.main.jobs.runDue();
    failToStart(CrashCount.MANY);

    assertThat(printed(live).stream().map(LogEntry::message))
        .contains("Error: cannot reach [masked]")
        .noneMatch(line -> line.contains("s3cret-of-ada"));
    assertThat(reported().failure().message()).contains("[masked]").doesNotContain("s3cret");
    assertThat(plane.main.instances.healthy(live.id())).hasSize(1);
  }

  @Test
  void itIsToldOnce() throws InterruptedException {
    Deployment live = plane.deploy(shop);
    failToStart(CrashCount.MANY);
    Crashing first = reported();
    ProgramLog log = log(live, ProgramPlaces.begin());
    String place = log.next(500).getLast().place();
    plane.clock.advance(Duration.ofMinutes(5));
    failToStart(2);

    assertThat(reported()).isEqualTo(first);
    assertThat(log.next(500)).isEmpty();
    assertThat(log(live, ProgramPlaces.parse(place).orElseThrow()).next(500)).isEmpty();
  }

  @Test
  void aServerThatIsStartedAgainKnowsOfIt() {
    Deployment live = plane.deploy(shop);
    crashManyTimes(live);
    Plane.Worker next = plane.worker("main");
    next.deployments.recover();

    assertThatThrownBy(() -> next.wake(live.id()).join()).hasCauseInstanceOf(Waker.Crashing.class);
  }

  @Test
  void whatRunsAgainAfterAStartOfTheServerIsForgivenToo() {
    Deployment live = plane.deploy(shop);
    crashManyTimes(live);
    Plane.Worker next = plane.worker("main");
    next.deployments.recover();
    Eventually.holds("it runs", () -> plane.read(shop).running() == 1);

    next.deployments
        .upkeep()
        .settle(live.id(), new CrashCount(CrashCount.MANY, plane.clock.instant()));

    assertThat(plane.read(shop).crashing()).isEmpty();
    assertThat(next.wake(live.id()).join()).isNotNull();
  }

  @Test
  void whatHasRunForAWhileIsForgiven() {
    Deployment live = plane.deploy(shop);
    crashManyTimes(live);
    reported();
    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.deployments.restarts().restart(plane.account, shop.id());
    plane.main.jobs.runDue();
    assertThat(plane.read(shop).running()).isEqualTo(1);
    CrashCount count = new CrashCount(CrashCount.MANY, reported().since());

    plane.main.deployments.upkeep().settle(live.id(), count);

    assertThat(plane.read(shop).crashing()).isEmpty();
    assertThat(printed(live)).isEmpty();
    assertThat(plane.main.wake(live.id()).join()).isNotNull();
  }

  @Test
  void whatWasReplacedIsNotSaidToCrash() {
    Deployment live = plane.deploy(shop);
    crashManyTimes(live);
    reported();
    Deployment next = plane.deploy(shop);

    assertThat(plane.read(shop).crashing()).isEmpty();
    assertThat(plane.main.service().get(plane.account, live.id()).crashing()).isEmpty();
    assertThat(plane.main.wake(next.id()).join()).isNotNull();
  }

  /** Each time a visitor comes and has it started. */
  private void crashManyTimes(Deployment live) {
    InstanceId running = plane.main.instances.healthy(live.id()).getFirst();
    for (int i = 1; i < CrashCount.MANY; i++) {
      crash(live, running);
      running = plane.main.wake(live.id()).join().instance();
    }
    crash(live, running);
    reported();
  }

  /** Each at a time of its own, so that no two are taken for one. */
  private void crash(Deployment live, InstanceId running) {
    plane.clock.advance(Duration.ofMillis(1));
    plane.main.runtime.crash(running);
    Eventually.holds(
        "its crash counts", () -> !plane.main.instances.all(live.id()).contains(running));
  }

  /** One more than serves shall run, and does not start. */
  private void failToStart(int times) throws InterruptedException {
    plane.main.runtime.nextStarts(
        Collections.nCopies(100, FakeRuntime.Start.ENDS_AT_ONCE).toArray(FakeRuntime.Start[]::new));
    plane.database.useTransaction(tx -> tx.execute("UPDATE project SET instances = 2"));
    for (int i = 0; i < times; i++) {
      plane.main.deployments.upkeep().adjust(plane.read(shop).liveDeploymentId().orElseThrow());
    }
  }

  private List<LogEntry> printed(Deployment deployment) {
    return log(deployment, ProgramPlaces.begin()).next(500).stream()
        .map(ProgramLog.Line::entry)
        .toList();
  }

  private ProgramLog log(Deployment deployment, ProgramPlaces places) {
    return plane.main.service().programLog(plane.account, deployment.id(), places);
  }

  private Crashing reported() {
    Eventually.holds("it is reported", () -> plane.read(shop).crashing().isPresent());
    return plane.read(shop).crashing().orElseThrow();
  }
}
