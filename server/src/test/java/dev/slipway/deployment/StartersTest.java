package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.Eventually;
import dev.slipway.core.InstanceId;
import dev.slipway.edge.Target;
import dev.slipway.project.Project;
import dev.slipway.runtime.FakeRuntime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A visitor and the upkeep find at the same moment that what serves does not run. */
class StartersTest {
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");
  private final Deployment live = plane.deploy(shop);
  private final int startedBefore = plane.main.runtime.started().size();

  StartersTest() {
    plane.main.instances.endAll(live.id());
  }

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void theUpkeepTakesPartInTheStartOfAVisitor() {
    plane.main.runtime.duringNextStart(this::adjust);
    Target target = plane.main.wake(live.id()).join();

    assertOnlyStarted(target.instance());
  }

  @Test
  void aVisitorTakesPartInTheStartOfTheUpkeep() {
    CompletableFuture<Target> visitor = new CompletableFuture<>();
    plane.main.runtime.duringNextStart(() -> visitor.complete(plane.main.wake(live.id()).join()));
    adjust();

    assertOnlyStarted(visitor.join().instance());
  }

  @Test
  void aStartThatSomebodyElseEndedIsTriedAgain() {
    plane.main.runtime.duringNextStart(() -> plane.main.instances.endAll(live.id()));
    Target target = plane.main.wake(live.id()).join();

    assertThat(plane.main.runtime.running()).containsExactly(target.instance());
    assertThat(plane.main.instances.healthy(live.id())).containsExactly(target.instance());
  }

  @Test
  void aProgramThatDoesNotStartIsStartedOnceForBoth() {
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    CompletableFuture<Target> visitor = plane.main.wake(live.id());

    assertThat(visitor)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .withCauseInstanceOf(AppFailure.class);
    assertThat(plane.main.runtime.started()).hasSize(startedBefore + 1);
    assertThat(plane.count("instance")).isZero();
  }

  @Test
  void whatEndedThoughNobodyWasToldIsNoticed() {
    Target target = plane.main.wake(live.id()).join();
    Plane.Worker same = plane.worker("main"); // knows of the row, and of no program
    same.deployments.upkeep().look();

    Eventually.holds("another serves", () -> same.runtime.running().size() == 1);
    assertThat(same.runtime.running()).doesNotContain(target.instance());
    Eventually.holds("and it alone", () -> plane.count("instance") == 1);
  }

  @Test
  void whatCannotBeToldDoesNotEndTheUpkeep() {
    plane.main.runtime.nextStarts(
        Collections.nCopies(CrashCount.MANY, FakeRuntime.Start.ENDS_AT_ONCE)
            .toArray(FakeRuntime.Start[]::new));
    plane.database.useTransaction(
        tx -> tx.execute("ALTER TABLE crashing ADD CONSTRAINT full_disk CHECK (false) NOT VALID"));
    for (int i = 0; i < CrashCount.MANY; i++) {
      adjust();
    }
    plane.database.useTransaction(
        tx -> tx.execute("ALTER TABLE crashing DROP CONSTRAINT full_disk"));
    plane.main.deployments.upkeep().adjustSoon(live.id());

    Eventually.holds("it serves", () -> plane.main.runtime.running().size() == 1);
  }

  @Test
  void previewsOfOneAccountThatHangHoldUpNobodyElses() {
    CompletableFuture<Void> released = new CompletableFuture<>();
    List<DeploymentId> own = List.of(preview("ada-1"), preview("ada-2"), preview("ada-3"));
    DeploymentId others = preview("bob");
    plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE deployment SET account_id = ? WHERE id = ?",
            plane.addAccount().value(),
            others.value()));
    CountDownLatch hanging = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      plane.main.runtime.duringNextStart(() -> {
        hanging.countDown();
        released.join();
      });
    }
    List<CompletableFuture<Target>> waiting = own.stream().map(plane.main::wake).toList();
    Eventually.holds("two hang", () -> hanging.getCount() == 0);

    assertThat(plane.main.wake(others).join()).isNotNull();
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    released.complete(null);
    assertThat(waiting).allSatisfy(target -> assertThat(target.join()).isNotNull());
  }

  private DeploymentId preview(String name) {
    Project project = plane.project(name);
    DeploymentId first = plane.deploy(project).id();
    plane.deploy(project);
    return first;
  }

  private void adjust() {
    try {
      plane.main.deployments.upkeep().adjust(live.id());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertOnlyStarted(InstanceId instance) {
    assertThat(plane.main.runtime.started()).hasSize(startedBefore + 1);
    assertThat(plane.main.runtime.running()).containsExactly(instance);
    assertThat(plane.main.instances.healthy(live.id())).containsExactly(instance);
  }
}
