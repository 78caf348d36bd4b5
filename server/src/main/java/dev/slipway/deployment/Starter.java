package dev.slipway.deployment;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.core.Turns;
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
  private static final int TRIES = 3;
  private static final int PROGRAMS_AT_ONCE = 16;
  private static final int PREVIEWS_AT_ONCE = 4;

  private final Database database;
  private final Records records;
  private final Launcher launcher;
  private final Variables variables;
  private final Instances instances;
  private final Routes routes;
  private final Crashes crashes;
  private final Clock clock;
  private final ConcurrentHashMap<DeploymentId, CompletableFuture<Target>> underWay =
      new ConcurrentHashMap<>();
  // Apart: previews that hang must not keep a crashed program from being started again.
  private final Turns production = new Turns(PROGRAMS_AT_ONCE);
  private final Turns previews = new Turns(PREVIEWS_AT_ONCE);
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("starter-", 0).factory());

  Starter(
      Database database,
      Records records,
      Launcher launcher,
      Variables variables,
      Instances instances,
      Routes routes,
      Crashes crashes,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.launcher = launcher;
    this.variables = variables;
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
    threads.execute(() -> start(id, fresh));
    return fresh;
  }

  private void start(DeploymentId id, CompletableFuture<Target> result) {
    // Whoever asks after this has ended gets a start of his own, not one that may have crashed
    // since.
    try {
      Target target = startInTurn(id);
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
    threads.shutdownNow();
    threads.close();
  }

  private Target startInTurn(DeploymentId id) throws InterruptedException {
    Deployment deployment =
        database
            .read(tx -> records.deployments().find(tx, id))
            .filter(found -> found.status().served())
            .orElseThrow(() -> new AppFailure(FailureCode.START_FAILED, id + " has never served."));
    boolean serving = database.read(tx -> records.deployments().isServing(tx, id));
    try (Turns.Turn _ = (serving ? production : previews).take(deployment.accountId())) {
      return start(deployment);
    }
  }

  private Target start(Deployment deployment) throws InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      Target target =
          switch (launcher.start(deployment)) {
            case Started.Failed failed ->
                throw new AppFailure(failed.failure().code(), failed.failure().message());
            case Started.Healthy healthy -> healthy.target();
          };
      try {
        if (takesRequests(deployment, target.instance())) {
          return target;
        }
      } finally {
        // What an exception says of a commit may be wrong.
        instances.watch(deployment.id(), target.instance());
      }
      // It was put to sleep at the moment at which it was found running, or is outdated: another
      // one
      // is started.
    }
    throw stopped(deployment.id());
  }

  /**
   * False where somebody else has taken the instance out of the routes, and ends it, or where its
   * variables have changed while it was being started.
   *
   * @throws AppFailure where its deployment shall not be asked any more
   */
  private boolean takesRequests(Deployment deployment, InstanceId instance) {
    DeploymentId id = deployment.id();
    Took took =
        routes.changing(tx -> {
          Project project = records.projects().lock(tx, deployment.projectId());
          if (!mayAnswer(project, id)) {
            return Took.NOT_WANTED;
          }
          // One that takes requests already is exchanged by whoever sees to the change.
          if (!instances.healthy(tx, id).contains(instance)
              && !variables.areCurrent(tx, deployment, instance)) {
            return Took.OUTDATED;
          }
          if (!instances.markHealthy(tx, instance)) {
            return Took.WITHDRAWN;
          }
          if (project.liveDeploymentId().equals(Optional.of(id))) {
            awake(tx, project);
          } else {
            SleepJob.schedule(tx, id, clock.instant());
          }
          return Took.REQUESTS;
        });
    if (took == Took.NOT_WANTED) {
      instances.end(instance);
      throw stopped(id);
    }
    if (took == Took.OUTDATED) {
      instances.end(instance);
    }
    return took == Took.REQUESTS;
  }

  private enum Took {
    REQUESTS,
    WITHDRAWN,
    OUTDATED,
    NOT_WANTED
  }

  private static AppFailure stopped(DeploymentId id) {
    return new AppFailure(FailureCode.START_FAILED, "The program of " + id + " was stopped.");
  }

  /** While it was being started the project may have been deleted, or its previews switched off. */
  private static boolean mayAnswer(Project project, DeploymentId id) {
    return !project.deleted()
        && (project.settings().previews() != Previews.OFF
            || project.liveDeploymentId().equals(Optional.of(id)));
  }

  /** The first of its instances takes requests; the others follow. */
  private void awake(Handle tx, Project project) {
    records.projects().awake(tx, project.id());
    IdleJob.scheduleFor(tx, project, clock.instant());
    if (project.settings().instances() > 1) {
      ScaleJob.schedule(tx, project.id(), clock.instant());
    }
  }
}
