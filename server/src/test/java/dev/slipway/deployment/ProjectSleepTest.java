package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Eventually;
import dev.slipway.edge.Target;
import dev.slipway.project.Project;
import dev.slipway.project.Restart;
import dev.slipway.project.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A project that may sleep: its program is stopped when nobody asks for it. */
class ProjectSleepTest {
  private static final Optional<Duration> SOON = Optional.of(Duration.ofMillis(1));

  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void itSleepsWhenNobodyAsksForItAndItsNextRequestStartsIt() {
    Deployment live = plane.deploy(shop);
    maySleep(SOON);
    awaitSleep();
    assertThat(route()).isEmpty();
    assertThat(plane.count("instance")).isZero();
    assertThat(plane.read(shop).asleep()).isTrue();

    Target woken = plane.main.wake(live.id()).join();

    assertThat(route()).containsExactly(woken);
    assertThat(plane.read(shop).asleep()).isFalse();
    awaitSleep();
    assertThat(plane.main.runtime.started()).hasSize(2);
  }

  @Test
  void ofSeveralInstancesAllSleepAndAllCome() {
    change(old -> settings(old, 3, SOON));
    Deployment live = plane.deploy(shop);
    assertThat(plane.main.runtime.started()).hasSize(3);
    awaitSleep();
    maySleep(Optional.of(Duration.ofHours(1)));

    plane.main.wake(live.id()).join();
    plane.main.jobs.runDue();

    Eventually.holds("all three serve", () -> route().size() == 3);
  }

  @Test
  void unlessItsOwnerSaysSoItNeverSleeps() {
    plane.deploy(shop);

    plane.clock.advance(Duration.ofDays(30));
    plane.main.jobs.runDue();

    assertThat(route()).hasSize(1);
    assertThat(plane.main.jobs.waiting(IdleJob.KIND)).isEmpty();
  }

  @Test
  void itDoesNotSleepBeforeItsTime() {
    plane.deploy(shop);
    maySleep(Optional.of(Duration.ofHours(1)));

    plane.clock.advance(Duration.ofDays(1)); // what counts is what the edge has seen
    plane.main.jobs.runDue();

    assertThat(route()).hasSize(1);
  }

  @Test
  void aServerThatComesUpLeavesItAsleep() {
    plane.deploy(shop);
    maySleep(SOON);
    awaitSleep();

    plane.main.deployments.recover();

    plane.main.deployments.upkeep().close(); // what it had begun to start has ended by now
    assertThat(plane.main.runtime.started()).hasSize(1);
    assertThat(plane.main.jobs.waiting(IdleJob.KIND)).containsExactly(shop.id().value());
  }

  @Test
  void aServerThatComesUpStartsItWhereItWasAwake() {
    plane.deploy(shop);
    maySleep(Optional.of(Duration.ofHours(1)));
    Plane.Worker other = plane.worker("other");

    other.deployments.recover();

    Eventually.holds("it is started", () -> other.runtime.started().size() == 1);
  }

  @Test
  void onceItMayNotSleepAnyMoreItIsStarted() {
    plane.deploy(shop);
    maySleep(SOON);
    awaitSleep();

    maySleep(Optional.empty());
    plane.main.jobs.runDue();

    Eventually.holds("it serves", () -> route().size() == 1);
    plane.clock.advance(Duration.ofDays(1));
    plane.main.jobs.runDue();
    assertThat(plane.main.jobs.waiting(IdleJob.KIND)).isEmpty();
  }

  @Test
  void moreInstancesDoNotWakeIt() {
    plane.deploy(shop);
    maySleep(SOON);
    awaitSleep();

    change(old -> settings(old, 2, SOON));
    plane.main.jobs.runDue();

    assertThat(plane.main.runtime.started()).hasSize(1);
  }

  @Test
  void aRestartADeploymentAndARollbackLeaveItAwake() {
    Deployment first = plane.deploy(shop);
    maySleep(SOON);
    awaitSleep();
    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.deployments.restarts().restart(plane.account, shop.id());
    plane.main.jobs.run(RestartJob.KIND, plane.main.jobs.waiting(RestartJob.KIND).getFirst());
    assertThat(plane.read(shop).restart().orElseThrow().status()).isEqualTo(Restart.Status.DONE);
    assertThat(route()).hasSize(1);
    plane.main.jobs.runDue();
    awaitSleep();

    Deployment second = plane.built(shop);
    plane.main.jobs.run(ActivateJob.KIND, second.id().value());
    assertThat(plane.main.instances.healthy(second.id())).hasSize(1);
    awaitSleep();

    Deployment rollback = plane.rollBack(first).deployment();
    plane.main.jobs.run(ActivateJob.KIND, rollback.id().value());
    assertThat(plane.main.instances.healthy(rollback.id())).hasSize(1);
    assertThat(isAsleep()).isFalse();
  }

  @Test
  void itDoesNotSleepWhileItIsRestarted() {
    plane.deploy(shop);
    maySleep(SOON);
    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.deployments.restarts().restart(plane.account, shop.id());
    plane.main.runtime.duringNextStart(() -> {
      for (int i = 0; i < 5; i++) {
        plane.main.jobs.run(IdleJob.KIND, shop.id().value());
      }
    });

    plane.main.jobs.run(RestartJob.KIND, plane.main.jobs.waiting(RestartJob.KIND).getFirst());

    assertThat(plane.read(shop).restart().orElseThrow().status()).isEqualTo(Restart.Status.DONE);
    assertThat(route()).hasSize(1);
  }

  @Test
  void whoComesAtTheMomentAtWhichItFallsAsleepIsAnsweredByAnother() {
    Deployment live = plane.deploy(shop);
    maySleep(SOON);
    awaitSleep();
    plane.main.runtime.duringNextStart(() ->
        plane.main.routes.changing(
            tx -> plane.main.instances.withdraw(tx, live.id()))); // as the job does

    Target woken = plane.main.wake(live.id()).join();

    assertThat(route()).containsExactly(woken);
    assertThat(plane.main.runtime.running()).contains(woken.instance());
    assertThat(isAsleep()).isFalse();
  }

  @Test
  void oneThatCrashedIsStartedAgainThoughItMaySleep() {
    Deployment live = plane.deploy(shop);
    maySleep(SOON);
    awaitSleep();
    maySleep(Optional.of(Duration.ofHours(1)));
    Target woken = plane.main.wake(live.id()).join();

    plane.main.runtime.crash(woken.instance());

    Eventually.holds(
        "another instance serves", () -> route().stream().anyMatch(it -> !it.equals(woken)));
  }

  /** Until it sleeps; the edge's own clock says how long nobody has asked for it. */
  private void awaitSleep() {
    Eventually.holds(
        "it sleeps",
        () -> {
          plane.clock.advance(Duration.ofSeconds(1));
          plane.main.jobs.runDue();
          return isAsleep();
        });
    assertThat(plane.main.runtime.running()).isEmpty();
  }

  private boolean isAsleep() {
    return plane.database.read(tx -> plane.records.projects().isAsleep(tx, shop.id()));
  }

  private List<Target> route() {
    return plane.main.route(shop.label()).orElseThrow().targets();
  }

  private void maySleep(Optional<Duration> after) {
    change(old -> settings(old, old.instances(), after));
  }

  private void change(UnaryOperator<Settings> edit) {
    plane.main.projects.change(plane.account, shop.id(), Optional.empty(), edit);
  }

  private static Settings settings(Settings old, int instances, Optional<Duration> sleepAfter) {
    return new Settings(
        old.branch(),
        old.instanceType(),
        instances,
        old.autoDeploy(),
        old.previews(),
        old.previewForks(),
        sleepAfter,
        old.database(),
        old.overrides());
  }
}
