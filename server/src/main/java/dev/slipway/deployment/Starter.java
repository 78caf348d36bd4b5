package dev.slipway.deployment;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.db.Database;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Target;
import dev.slipway.edge.Waker;
import dev.slipway.instance.Instances;
import dev.slipway.instance.Started;
import dev.slipway.project.Previews;
import dev.slipway.project.Project;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jdbi.v3.core.Handle;

/**
 * Starts an instance of a deployment that has served before: for its first request, after a crash,
 * after a restart of the machine. Asked for many times at once, it starts one.
 */
final class Starter implements Waker {
  private final Database database;
  private final Records records;
  private final Launcher launcher;
  private final Instances instances;
  private final Routes routes;
  private final Crashes crashes;
  private final Clock clock;
  private final ConcurrentHashMap<DeploymentId, CompletableFuture<Target>> underWay =
      new ConcurrentHashMap<>();
  // Apart: previews that hang must not keep a crashed program from being started again.
  private final ExecutorService production = pool("starter-", 16);
  private final ExecutorService previews = pool("preview-starter-", 4);

  Starter(
      Database database,
      Records records,
      Launcher launcher,
      Instances instances,
      Routes routes,
      Crashes crashes,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.launcher = launcher;
    this.instances = instances;
    this.routes = routes;
    this.crashes = crashes;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<Target> wake(DeploymentId id) {
    if (crashes.of(id).many()) {
      return CompletableFuture.failedFuture(new Crashing());
    }
    CompletableFuture<Target> fresh = new CompletableFuture<>();
    CompletableFuture<Target> started = underWay.putIfAbsent(id, fresh);
    if (started != null) {
      return started;
    }
    Thread.startVirtualThread(() -> {
      try {
        boolean serving = database.read(tx -> records.deployments().isServing(tx, id));
        (serving ? production : previews).execute(() -> start(id, fresh));
      } catch (RuntimeException e) {
        underWay.remove(id);
        fresh.completeExceptionally(e);
      }
    });
    return fresh;
  }

  private void start(DeploymentId id, CompletableFuture<Target> result) {
    // Whoever asks after this has ended gets a start of his own, not one that may have crashed
    // since.
    try {
      Target target = start(id);
      underWay.remove(id);
      result.complete(target);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      underWay.remove(id);
      result.completeExceptionally(e);
    } catch (RuntimeException e) {
      underWay.remove(id);
      result.completeExceptionally(e);
    }
  }

  /** Interrupts the starts under way and waits until nothing of them is left. */
  void close() {
    production.shutdownNow();
    previews.shutdownNow();
    production.close();
    previews.close();
  }

  private static ExecutorService pool(String name, int threads) {
    return Executors.newFixedThreadPool(
        threads, Thread.ofPlatform().daemon().name(name, 0).factory());
  }

  private Target start(DeploymentId id) throws InterruptedException {
    Deployment deployment =
        database
            .read(tx -> records.deployments().find(tx, id))
            .filter(found -> found.status().served())
            .orElseThrow(() -> new AppFailure(FailureCode.START_FAILED, id + " has never served."));
    return switch (launcher.start(deployment)) {
      case Started.Failed failed ->
          throw new AppFailure(failed.failure().code(), failed.failure().message());
      case Started.Healthy(Target target) -> {
        takeRequests(deployment, target.instance());
        yield target;
      }
    };
  }

  private void takeRequests(Deployment deployment, InstanceId instance) {
    DeploymentId id = deployment.id();
    boolean healthy =
        routes.changing(tx -> {
          boolean marked = mayAnswer(tx, deployment) && instances.markHealthy(tx, instance);
          SleepJob.schedule(tx, id, clock.instant());
          return marked;
        });
    if (!healthy) {
      instances.end(instance);
      throw new AppFailure(FailureCode.START_FAILED, "The program of " + id + " was stopped.");
    }
    instances.watch(id, instance);
  }

  /** While it was being started the project may have been deleted, or its previews switched off. */
  private boolean mayAnswer(Handle tx, Deployment deployment) {
    Project project = records.projects().lock(tx, deployment.projectId());
    return !project.deleted()
        && (project.settings().previews() != Previews.OFF
            || project.liveDeploymentId().equals(Optional.of(deployment.id())));
  }
}
