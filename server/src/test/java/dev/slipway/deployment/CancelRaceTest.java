package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.FAILED;
import static dev.slipway.deployment.DeploymentStatus.LIVE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Eventually;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.project.Project;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Source: API decisions, "Deployment", cancel: against an activation that is about to go live. */
@Timeout(300)
class CancelRaceTest {
  private static final int RACES = 40;
  private static final int LIMIT_SECONDS = 60;

  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aCancelThatComesRightBeforeTheActivationGoesLiveWins() {
    Deployment serving = plane.deploy(shop);
    Deployment built = plane.built(shop);

    CompletableFuture<Void> activation =
        plane.database.inTransaction(tx -> {
          plane.records.projects().lock(tx, shop.id());
          CompletableFuture<Void> begun = async(() -> activate(built));
          Eventually.holds(
              "the activation waits for its project", () -> plane.waitingForLocks() == 1);
          assertThat(finished(cancel(built))).isTrue();
          return begun;
        });
    finished(activation);

    assertCanceled(built, Optional.of(serving.id()));
    plane.main.jobs.runDue();
    assertOneRuns();
  }

  @Test
  void aCancelThatComesRightBeforeTheActivationsCommitLoses() {
    plane.deploy(shop);
    Deployment built = plane.built(shop);
    AtomicReference<Optional<CompletableFuture<Boolean>>> canceled =
        new AtomicReference<>(Optional.empty());
    beforeGoingLive(() -> {
      canceled.set(Optional.of(cancel(built)));
      Eventually.holds("the cancel waits for the deployment", () -> plane.waitingForLocks() == 1);
    });

    activate(built);

    assertThat(finished(canceled.get().orElseThrow())).isFalse();
    assertLive(built);
    plane.main.jobs.runDue();
    assertOneRuns();
  }

  @Test
  void itIsEitherCanceledOrLiveNeverBoth() {
    Optional<DeploymentId> serving = Optional.of(plane.deploy(shop).id());
    for (int i = 0; i < RACES; i++) {
      Deployment built = plane.built(shop);
      CyclicBarrier start = new CyclicBarrier(2);
      CompletableFuture<Void> activation =
          async(() -> {
            await(start);
            activate(built);
          });
      CompletableFuture<Void> started =
          async(() -> {
            await(start);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(30_000_000));
          });
      boolean canceled = finished(started.thenCompose(_ -> cancel(built)));
      finished(activation);

      if (canceled) {
        assertCanceled(built, serving);
      } else {
        assertLive(built);
        serving = Optional.of(built.id());
      }
    }
    plane.main.jobs.runDue();
    assertOneRuns();
  }

  private void activate(Deployment deployment) {
    plane.main.jobs.run(ActivateJob.KIND, deployment.id().value());
  }

  /** Whether the cancel came first; else it must have been refused as a conflict. */
  private CompletableFuture<Boolean> cancel(Deployment deployment) {
    CompletableFuture<Boolean> won = new CompletableFuture<>();
    return async(
            () -> {
              try {
                plane.main.service().cancel(plane.account, deployment.id());
                won.complete(true);
              } catch (RequestException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT);
                won.complete(false);
              }
            })
        .thenCompose(_ -> won);
  }

  /** In the transaction of the next deployment that goes live, when its row is written. */
  private void beforeGoingLive(Runnable work) {
    plane.main.deployments.tell((_, deployment) -> {
      if (deployment.status() == LIVE) {
        work.run();
      }
    });
  }

  private void assertCanceled(Deployment deployment, Optional<DeploymentId> serving) {
    Deployment ended = plane.read(deployment);
    assertThat(ended.status()).isEqualTo(FAILED);
    assertThat(ended.failure()).map(Failure::code).contains(FailureCode.CANCELED);
    assertThat(plane.main.instances.healthy(ended.id())).isEmpty();
    assertServes(deployment, serving);
  }

  private void assertLive(Deployment deployment) {
    assertThat(plane.read(deployment).status()).isEqualTo(LIVE);
    assertThat(plane.main.instances.healthy(deployment.id())).hasSize(1);
    assertServes(deployment, Optional.of(deployment.id()));
  }

  private void assertServes(Deployment ended, Optional<DeploymentId> serving) {
    assertThat(plane.read(shop).liveDeploymentId()).isEqualTo(serving);
    assertThat(plane.main.route(shop.label()).map(route -> route.deployment())).isEqualTo(serving);
    assertThat(plane.logs.closed(ended.logId())).isTrue();
  }

  private void assertOneRuns() {
    assertThat(plane.main.runtime.running()).hasSize(1);
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  private static CompletableFuture<Void> async(Runnable work) {
    return CompletableFuture.runAsync(work, task -> Thread.ofPlatform().daemon().start(task));
  }

  private static <T> T finished(CompletableFuture<T> work) {
    return work.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
