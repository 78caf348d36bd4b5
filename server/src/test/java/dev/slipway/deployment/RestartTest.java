package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.core.RequestException;
import dev.slipway.edge.Target;
import dev.slipway.project.Project;
import dev.slipway.project.Restart;
import dev.slipway.runtime.FakeRuntime;
import dev.slipway.runtime.InstanceSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RestartTest {
  private final Plane plane = new Plane();
  private final Project project = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aNewInstanceOfTheSameReleaseTakesThePlaceOfTheOld() {
    Deployment live = plane.deploy(project);
    InstanceId old = serving();

    assertThat(restart().status()).isEqualTo(Restart.Status.RUNNING);
    plane.main.jobs.runDue();

    Restart done = state();
    assertThat(done.status()).isEqualTo(Restart.Status.DONE);
    assertThat(done.completedAt()).contains(plane.clock.instant());
    assertThat(done.failure()).isEmpty();
    assertThat(serving()).isNotEqualTo(old);
    assertThat(plane.main.runtime.running()).containsExactly(serving());
    assertThat(plane.main.runtime.started())
        .extracting(spec -> spec.layers())
        .hasSize(2)
        .containsOnly(plane.main.runtime.started().getFirst().layers());
    assertThat(plane.read(project).liveDeploymentId()).contains(live.id());
    assertThat(plane.count("deployment")).isEqualTo(1);
  }

  @Test
  void theOldInstanceServesUntilTheNewOneIsHealthy() {
    plane.deploy(project);
    InstanceId old = serving();
    restart();
    plane.main.runtime.duringNextStart(() -> assertThat(serving()).isEqualTo(old));

    plane.main.jobs.run(RestartJob.KIND, restartId());

    assertThat(serving()).isNotEqualTo(old);
    assertThat(plane.main.runtime.running()).contains(old);
    plane.main.jobs.runDue();
    assertThat(plane.main.runtime.running()).doesNotContain(old);
  }

  @Test
  void oneThatFailsLeavesWhatServes() {
    plane.deploy(project);
    InstanceId old = serving();
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    restart();
    plane.main.jobs.runDue();

    Restart failed = state();
    assertThat(failed.status()).isEqualTo(Restart.Status.FAILED);
    assertThat(failed.failure().orElseThrow().code()).isEqualTo(FailureCode.START_FAILED);
    assertThat(failed.failure().orElseThrow().message()).contains(FakeRuntime.LAST_LINE);
    assertThat(serving()).isEqualTo(old);
    assertThat(plane.main.runtime.running()).containsExactly(old);
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void afterOneHasEndedAnotherMayBeAskedForAtOnce() {
    plane.deploy(project);
    restart();
    plane.main.jobs.run(RestartJob.KIND, restartId());
    // The row of the first job is still there.
    restart();
    plane.main.jobs.runDue();

    assertThat(state().status()).isEqualTo(Restart.Status.DONE);
    assertThat(plane.main.runtime.started()).hasSize(3);
    assertThat(plane.main.runtime.running()).containsExactly(serving());
  }

  @Test
  void itIsRefusedWhileNothingServesAndWhileOneIsUnderWay() {
    assertThat(refused().code()).isEqualTo(ErrorCode.CONFLICT);
    plane.deploy(project);
    restart();

    assertThat(refused().code()).isEqualTo(ErrorCode.CONFLICT);
    assertThat(plane.main.jobs.waiting(RestartJob.KIND)).hasSize(1);
  }

  @Test
  void anEngineThatDoesNotAnswerIsAskedAgain() {
    plane.deploy(project);
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENGINE_IS_AWAY);
    restart();
    plane.main.jobs.runDue();
    assertThat(state().status()).isEqualTo(Restart.Status.RUNNING);

    plane.clock.advance(Duration.ofSeconds(2));
    plane.main.jobs.runDue();
    assertThat(state().status()).isEqualTo(Restart.Status.DONE);
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void aFaultOfOursEndsIt() {
    plane.deploy(project);
    InstanceId old = serving();
    plane.main.runtime.duringNextStart(() -> {
      throw new IllegalStateException("as told");
    });
    restart();
    plane.main.jobs.runDue();

    assertThat(state().failure().orElseThrow().code()).isEqualTo(FailureCode.INTERNAL_ERROR);
    assertThat(serving()).isEqualTo(old);
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void whatGoesLiveInTheMeantimeWins() {
    plane.deploy(project);
    Deployment next = plane.built(project);
    restart();
    plane.main.runtime.duringNextStart(
        () -> plane.main.jobs.run(ActivateJob.KIND, next.id().value()));

    plane.main.jobs.run(RestartJob.KIND, restartId());
    plane.main.jobs.runDue();

    assertThat(plane.read(project).liveDeploymentId()).contains(next.id());
    assertThat(state().failure().orElseThrow().code()).isEqualTo(FailureCode.SUPERSEDED);
    assertThat(plane.main.runtime.running()).containsExactly(serving());
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void aRollbackInTheMeantimeWins() {
    Deployment first = plane.deploy(project);
    plane.deploy(project);
    restart();
    Deployment rollback = plane.rollBack(first).deployment();
    plane.main.runtime.duringNextStart(
        () -> plane.main.jobs.run(ActivateJob.KIND, rollback.id().value()));

    plane.main.jobs.run(RestartJob.KIND, restartId());
    plane.main.jobs.runDue();

    assertThat(plane.read(project).liveDeploymentId()).contains(rollback.id());
    assertThat(state().status()).isEqualTo(Restart.Status.FAILED);
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void killedWhileTheNewOneStartsTheNextRunGoesOnWithIt() {
    Deployment live = plane.deploy(project);
    restart();
    InstanceId begun = beginStart(live);

    plane.main.deployments.recover();
    assertThat(plane.main.runtime.running()).contains(begun).hasSize(2);
    plane.main.jobs.runDue();

    assertThat(state().status()).isEqualTo(Restart.Status.DONE);
    assertThat(serving()).isEqualTo(begun);
    assertThat(plane.main.runtime.running()).containsExactly(begun);
  }

  @Test
  void killedAfterTheNewOneTookOverTheOldOneIsEnded() {
    plane.deploy(project);
    restart();
    plane.main.jobs.run(RestartJob.KIND, restartId());
    InstanceId fresh = serving();

    plane.main.deployments.recover();
    plane.main.jobs.runDue();

    assertThat(state().status()).isEqualTo(Restart.Status.DONE);
    assertThat(serving()).isEqualTo(fresh);
    assertThat(plane.main.runtime.running()).containsExactly(fresh);
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void whatWasBeingDrainedWhenTheServerWasKilledIsDrainedAndEndedThen() {
    Deployment live = plane.deploy(project);
    InstanceId old = serving();
    plane.main.routes.changing(tx -> plane.main.instances.withdraw(tx, live.id()));

    plane.main.deployments.recover();
    plane.main.deployments.upkeep().close(); // which has begun to start another one

    assertThat(plane.main.runtime.running()).contains(old);
    assertThat(plane.main.jobs.waiting(DrainJob.KIND)).containsExactly(old.value());
    plane.main.jobs.runDue();
    assertThat(plane.main.runtime.running()).doesNotContain(old);
  }

  @Test
  void theEndOfAnActivationLeavesARestartAlone() {
    Deployment live = plane.deploy(project);
    restart();
    InstanceId begun = beginStart(live);

    plane.main.instances.settle(live.id(), true);

    assertThat(plane.main.runtime.running()).contains(begun).hasSize(2);
  }

  /** A start that was cut off once the program ran: its row is there, nobody waits for it. */
  private InstanceId beginStart(Deployment live) {
    InstanceId begun = InstanceId.next();
    plane.database.useTransaction(tx ->
        tx.execute(
            """
            INSERT INTO instance (id, deployment_id, worker, port, state, created_at)
            SELECT ?, deployment_id, worker, port + 1, 'STARTING', created_at FROM instance
             WHERE deployment_id = ?
            """,
            begun.value(),
            live.id().value()));
    InstanceSpec first = plane.main.runtime.started().getLast();
    plane.main.runtime.start(
        new InstanceSpec(
            begun,
            first.layers(),
            first.program(),
            first.tools(),
            first.env(),
            first.port() + 1,
            first.limits()));
    return begun;
  }

  private Restart restart() {
    plane.clock.advance(Duration.ofSeconds(1));
    return plane
        .main
        .deployments
        .restarts()
        .restart(plane.account, project.id())
        .restart()
        .orElseThrow();
  }

  private RequestException refused() {
    return catchThrowableOfType(RequestException.class, this::restart);
  }

  private Restart state() {
    return plane.read(project).restart().orElseThrow();
  }

  private String restartId() {
    return state().id().value();
  }

  /** The one instance that takes the project's requests. */
  private InstanceId serving() {
    List<Target> targets = plane.main.route("shop").orElseThrow().targets();
    assertThat(targets).hasSize(1);
    return targets.getFirst().instance();
  }
}
