package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Eventually;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.edge.Route;
import dev.slipway.edge.Target;
import dev.slipway.project.Project;
import dev.slipway.project.Restart;
import dev.slipway.project.Settings;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runtime.FakeRuntime;
import dev.slipway.runtime.InstanceSpec;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several instances of what serves a project. */
class ScalingTest {
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aDeploymentGoesLiveWithAllItsInstancesAtOnce() {
    want(3);
    Deployment built = plane.built(shop);
    plane.main.runtime.duringNextStart(() -> assertThat(plane.main.route(shop.label())).isEmpty());
    plane.main.jobs.run(ActivateJob.KIND, built.id().value());

    assertThat(plane.read(built).status()).isEqualTo(DeploymentStatus.LIVE);
    assertThat(serving()).hasSize(3).isEqualTo(plane.main.runtime.running());
    assertThat(plane.read(shop).running()).isEqualTo(3);
    assertThat(ports()).hasSize(3);
    assertThat(plane.log(built.logId()).stream().map(LogEntry::message))
        .contains("Starting 3 instances of the program and waiting until all answer.");
  }

  @Test
  void theNextDeploymentReplacesAllOfThem() {
    want(2);
    plane.deploy(shop);
    Set<InstanceId> before = serving();
    plane.deploy(shop);

    assertThat(serving()).hasSize(2).doesNotContainAnyElementsOf(before);
    assertThat(plane.main.runtime.running()).isEqualTo(serving());
    assertThat(plane.count("instance")).isEqualTo(2);
  }

  @Test
  void thoseThatAreReplacedAreEndedTogether() {
    want(3);
    plane.deploy(shop);
    CyclicBarrier all = new CyclicBarrier(3);
    plane.main.runtime.duringStops(() -> await(all));
    plane.deploy(shop);
    plane.main.runtime.duringStops(() -> {});

    assertThat(all.isBroken()).isFalse();
    assertThat(plane.main.runtime.running()).hasSize(3).isEqualTo(serving());
  }

  private static void await(CyclicBarrier all) {
    try {
      all.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whereOneOfThemDoesNotStartTheDeploymentFailsAndNothingIsLeft() {
    plane.deploy(shop);
    Set<InstanceId> before = serving();
    database("UPDATE project SET instances = 4");
    plane.main.runtime.nextStarts(
        FakeRuntime.Start.ANSWERS, FakeRuntime.Start.ANSWERS, FakeRuntime.Start.ENDS_AT_ONCE);
    Deployment failed = plane.deploy(shop);

    assertThat(failed.failure().orElseThrow().code()).isEqualTo(FailureCode.START_FAILED);
    assertThat(plane.lastLine(failed).message()).isEqualTo(failed.failure().get().message());
    assertThat(plane.main.instances.all(failed.id())).isEmpty();
    assertThat(serving()).isEqualTo(before);
    assertThat(plane.main.runtime.running()).isEqualTo(before);
  }

  @Test
  void anActivationThatWasCutOffGoesOnWithThoseThatRun() {
    want(3);
    Deployment built = plane.built(shop);
    plane.main.runtime.nextStarts(
        FakeRuntime.Start.ANSWERS, FakeRuntime.Start.ANSWERS, FakeRuntime.Start.ENGINE_IS_AWAY);
    plane.main.jobs.runDue();
    assertThat(plane.read(built).status()).isEqualTo(DeploymentStatus.DEPLOYING);
    want(2);

    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.jobs.runDue();

    assertThat(plane.read(built).status()).isEqualTo(DeploymentStatus.LIVE);
    assertThat(serving()).hasSize(2).isEqualTo(plane.main.runtime.running());
    assertThat(plane.count("instance")).isEqualTo(2);
  }

  @Test
  void moreAreStartedBesideWhatServes() {
    Deployment live = plane.deploy(shop);
    Set<InstanceId> before = serving();
    plane.main.runtime.duringNextStart(() -> assertThat(serving()).isEqualTo(before));
    want(3);
    carryOut(3);

    assertThat(serving()).hasSize(3).containsAll(before);
    assertThat(plane.main.runtime.running()).isEqualTo(serving());
    assertThat(plane.read(shop).liveDeploymentId()).contains(live.id());
    assertThat(plane.count("deployment")).isEqualTo(1);
    assertThat(plane.main.runtime.started())
        .extracting(InstanceSpec::env)
        .containsOnly(plane.main.runtime.started().getFirst().env());
  }

  @Test
  void thoseThatAreTooManyLeaveTheRoutesAndAreDrained() {
    want(3);
    plane.deploy(shop);
    List<InstanceId> all = targets();
    want(1);
    String job = plane.main.jobs.waiting(ScaleJob.KIND).getFirst();
    plane.main.jobs.run(ScaleJob.KIND, job);
    Eventually.holds("one serves", () -> targets().size() == 1);

    assertThat(targets()).containsExactly(all.getFirst());
    assertThat(plane.main.runtime.running()).hasSize(3);
    assertThat(plane.main.jobs.waiting(DrainJob.KIND)).hasSize(2);
    plane.main.jobs.runDue();
    assertThat(plane.main.runtime.running()).isEqualTo(serving());
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void oneThatDoesNotStartIsTriedAgainWhileTheOthersServe() {
    plane.deploy(shop);
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE, FakeRuntime.Start.ANSWERS);
    want(3);
    plane.main.jobs.runDue();

    Eventually.holds("three serve", () -> serving().size() == 3);
    assertThat(plane.main.runtime.running()).isEqualTo(serving());
  }

  @Test
  void aWishThatComesWhileAnotherIsCarriedOutIsNotLost() {
    plane.deploy(shop);
    plane.main.runtime.duringNextStart(() -> want(4));
    want(2);
    carryOut(4);
    plane.main.runtime.duringNextStart(() -> want(1));
    want(5);
    carryOut(1);
    plane.main.jobs.runDue();

    assertThat(serving()).hasSize(1).isEqualTo(plane.main.runtime.running());
  }

  @Test
  void aWishThatComesWhileADeploymentStartsIsCarriedOutAfterIt() {
    Deployment built = plane.built(shop);
    plane.main.runtime.duringNextStart(() -> want(2));
    plane.main.jobs.run(ActivateJob.KIND, built.id().value());
    assertThat(serving()).hasSize(1);
    assertThat(plane.main.jobs.waiting(ScaleJob.KIND)).hasSize(2);

    carryOut(2);
  }

  @Test
  void whatGoesLiveWhileMoreAreStartedWins() {
    plane.deploy(shop);
    Deployment next = plane.built(shop);
    plane.main.runtime.duringNextStart(
        () -> plane.main.jobs.run(ActivateJob.KIND, next.id().value()));
    want(3);
    carryOut(3);

    assertThat(plane.main.route(shop.label()).map(Route::deployment)).contains(next.id());
    assertThat(serving()).hasSize(3).isEqualTo(plane.main.runtime.running());
    assertThat(plane.count("instance")).isEqualTo(3);
  }

  @Test
  void aSiteTakesAnyNumberAndHasNone() {
    plane.becomesSite(shop);
    plane.deploy(shop);
    want(5);
    plane.main.jobs.runDue();

    assertThat(plane.read(shop).settings().instances()).isEqualTo(5);
    assertThat(plane.read(shop).running()).isZero();
    assertThat(plane.count("instance")).isZero();
  }

  @Test
  void aPreviewIsOneInstance() {
    want(3);
    Deployment first = plane.deploy(shop);
    plane.deploy(shop);

    Target woken = plane.main.wake(first.id()).join();

    assertThat(plane.main.instances.healthy(first.id())).containsExactly(woken.instance());
  }

  @Test
  void oneThatCrashesIsReplacedWhileTheOthersServe() {
    want(3);
    plane.deploy(shop);
    InstanceId crashed = targets().get(1);
    plane.main.runtime.crash(crashed);

    Eventually.holds(
        "three serve again", () -> serving().size() == 3 && !serving().contains(crashed));
    assertThat(plane.main.runtime.running()).isEqualTo(serving());
  }

  @Test
  void allThatCrashAreReplacedWhoeverAsks() {
    want(3);
    Deployment live = plane.deploy(shop);
    Set<InstanceId> before = serving();
    before.forEach(plane.main.runtime::crash);
    var woken = plane.main.wake(live.id());

    assertThat(before).doesNotContain(woken.join().instance());
    Eventually.holds("three others serve", () -> served(before) == 3);
    assertThat(plane.main.runtime.running()).isEqualTo(serving());
    assertThat(plane.count("instance")).isEqualTo(3);
  }

  private long served(Set<InstanceId> before) {
    return serving().stream().filter(it -> !before.contains(it)).count();
  }

  @Test
  void whatWasKilledWhileItStartedMoreHasAsManyAfterTheNextStart() {
    want(2);
    Deployment live = plane.deploy(shop);
    Set<InstanceId> before = serving();
    want(3);
    database(
        """
        INSERT INTO instance (id, deployment_id, worker, port, state, created_at)
        SELECT '%s', deployment_id, worker, max(port) + 1, 'STARTING', max(created_at) FROM instance
         GROUP BY deployment_id, worker
        """
            .formatted(InstanceId.next()));

    plane.main.deployments.recover();

    Eventually.holds("three serve", () -> serving().size() == 3);
    assertThat(serving()).containsAll(before).isEqualTo(plane.main.runtime.running());
    plane.main.jobs.runDue();
    assertThat(plane.main.instances.all(live.id())).hasSize(3);
  }

  @Test
  void whatIsMissingThoughNobodyWasToldOfItIsFound() {
    want(2);
    plane.deploy(shop);
    plane.main.instances.end(targets().getFirst());
    plane.main.deployments.upkeep().look();

    Eventually.holds("two serve again", () -> serving().size() == 2);
    assertThat(serving()).isEqualTo(plane.main.runtime.running());
  }

  @Test
  void aRestartReplacesOneAfterTheOther() {
    want(3);
    plane.deploy(shop);
    Set<InstanceId> before = serving();
    Set<Integer> sizes = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      plane.main.runtime.duringNextStart(() -> sizes.add(targets().size()));
    }
    restart();
    plane.main.jobs.runDue();

    assertThat(plane.read(shop).restart().orElseThrow().status()).isEqualTo(Restart.Status.DONE);
    assertThat(sizes).containsExactly(3);
    assertThat(serving()).hasSize(3).doesNotContainAnyElementsOf(before);
    assertThat(plane.main.runtime.running()).isEqualTo(serving());
    assertThat(plane.main.runtime.started()).hasSize(6);
  }

  @Test
  void aRestartThatFailsHalfWayLeavesAsManyServing() {
    want(3);
    plane.deploy(shop);
    Set<InstanceId> before = serving();
    plane.main.runtime.nextStarts(FakeRuntime.Start.ANSWERS, FakeRuntime.Start.ENDS_AT_ONCE);
    restart();
    plane.main.jobs.runDue();

    assertThat(plane.read(shop).restart().orElseThrow().failure()).isPresent();
    assertThat(serving()).hasSize(3).isEqualTo(plane.main.runtime.running());
    assertThat(served(before)).isEqualTo(1);
  }

  @Test
  void aRestartThatWasCutOffReplacesTheRest() {
    want(2);
    plane.deploy(shop);
    Set<InstanceId> before = serving();
    plane.main.runtime.nextStarts(FakeRuntime.Start.ANSWERS, FakeRuntime.Start.ENGINE_IS_AWAY);
    restart();
    plane.main.jobs.runDue();
    assertThat(served(before)).isEqualTo(1);

    plane.clock.advance(Duration.ofSeconds(2));
    plane.main.deployments.recover();
    plane.main.jobs.runDue();

    assertThat(serving()).hasSize(2).doesNotContainAnyElementsOf(before);
    assertThat(plane.main.runtime.running()).isEqualTo(serving());
    assertThat(plane.count("instance")).isEqualTo(2);
  }

  private void restart() {
    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.deployments.restarts().restart(plane.account, shop.id());
  }

  private void want(int instances) {
    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.projects.change(
        plane.account,
        shop.id(),
        Optional.empty(),
        old ->
            new Settings(
                old.branch(),
                old.instanceType(),
                instances,
                old.autoDeploy(),
                old.previews(),
                old.previewForks(),
                old.sleepAfter(),
                old.database(),
                old.overrides()));
  }

  /** Until so many take requests; what asks for it may come meanwhile. */
  private void carryOut(int instances) {
    Eventually.holds(
        instances + " serve",
        () -> {
          plane.main.jobs.runDue();
          return targets().size() == instances;
        });
  }

  private void database(String statement) {
    plane.database.useTransaction(tx -> tx.execute(statement));
  }

  private List<InstanceId> targets() {
    return plane.main.route(shop.label()).orElseThrow().targets().stream()
        .map(Target::instance)
        .toList();
  }

  private Set<InstanceId> serving() {
    return Set.copyOf(targets());
  }

  private Set<Integer> ports() {
    return plane.main.runtime.started().stream()
        .map(InstanceSpec::port)
        .collect(Collectors.toSet());
  }
}
