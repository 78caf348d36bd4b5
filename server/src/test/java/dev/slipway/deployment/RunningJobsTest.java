package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.TestDatabase;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunningJobsTest {
  private final DeploymentId id = DeploymentId.next();
  private Database database;
  private Notifications notifications;
  private RunningJobs running;

  @BeforeEach
  void open() {
    database = TestDatabase.fresh();
    notifications = Notifications.open(database.address());
    running = new RunningJobs(notifications);
  }

  @AfterEach
  void close() {
    notifications.close();
    database.close();
  }

  @Test
  void workOnADeploymentThatHasEndedIsInterrupted() {
    CompletableFuture<Boolean> interrupted = work(() -> {});

    end(id);

    assertThat(interrupted.orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
  }

  @Test
  void theNextJobOfADeploymentIsInterruptedThoughTheOneBeforeEndsAfterItsBegin() {
    RunningJobs.Tracked before = running.track(id, DeploymentStatus.BUILDING).orElseThrow();
    CompletableFuture<Boolean> interrupted = work(before::close);

    end(id);

    assertThat(interrupted.orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** Completes with whether a job of a thread of its own was interrupted; begun on return. */
  private CompletableFuture<Boolean> work(Runnable onceBegun) {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try (var _ = running.track(id, DeploymentStatus.DEPLOYING).orElseThrow()) {
            onceBegun.run();
            begun.countDown();
            interrupted.complete(new CountDownLatch(1).await(20, TimeUnit.SECONDS));
          } catch (InterruptedException e) {
            interrupted.complete(true);
          }
        });
    try {
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return interrupted;
  }

  private void end(DeploymentId deployment) {
    // What is notified before the connection listens is lost; it listens in the order of asking.
    CompletableFuture<Boolean> heard = new CompletableFuture<>();
    notifications.subscribe("test_ready", _ -> {}, () -> heard.complete(true));
    heard.orTimeout(20, TimeUnit.SECONDS).join();
    database.useTransaction(tx -> RunningJobs.ended(tx, deployment));
  }
}
