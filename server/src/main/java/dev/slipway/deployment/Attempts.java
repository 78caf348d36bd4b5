package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Attempts of jobs at deployments: each is numbered when it begins, and ends quietly where the
 * deployment was ended by somebody else in the meantime.
 */
final class Attempts {
  private static final Duration BUSY = Duration.ofSeconds(2);

  private final Database database;
  private final DeploymentStore store;
  private final Moves moves;
  private final RunningJobs running;

  Attempts(Database database, DeploymentStore store, Moves moves, RunningJobs running) {
    this.database = database;
    this.store = store;
    this.moves = moves;
    this.running = running;
  }

  /** What an attempt does; the deployment carries the attempt's number. */
  @FunctionalInterface
  interface Work {
    void on(Deployment deployment) throws InterruptedException;
  }

  /**
   * Moves the deployment to {@code to}, or finds it there, and works on it.
   *
   * @param clear is given a deployment that has failed, through this attempt or otherwise: takes
   *     away what any attempt may have left of it
   * @throws InterruptedException where the server stops; the deployment stays as it is
   */
  Job.Outcome attempt(
      DeploymentId id,
      DeploymentStatus from,
      DeploymentStatus to,
      Work work,
      Consumer<Deployment> clear)
      throws InterruptedException {
    Optional<RunningJobs.Tracked> tracked = running.track(id, to);
    if (tracked.isEmpty()) {
      return new Job.Outcome.Again(BUSY);
    }
    try (var _ = tracked.get()) {
      Optional<Deployment> begun = database.inTransaction(tx -> moves.begun(tx, id, from, to));
      if (begun.isPresent()) {
        work.on(begun.get());
      }
    } catch (InterruptedException e) {
      if (isUnfinished(id)) {
        throw e;
      }
    }
    // One that came too late to stop the work must not stop what follows.
    Thread.interrupted();
    database
        .read(tx -> store.find(tx, id))
        .filter(deployment -> deployment.status() == DeploymentStatus.FAILED)
        .ifPresent(clear);
    return Job.Outcome.DONE;
  }

  /** Ends a deployment that cannot be worked on, through no fault of the application. */
  void giveUp(DeploymentId id) {
    database.useTransaction(tx ->
        store.find(tx, id).ifPresent(deployment -> moves.fail(tx, deployment, Moves.INTERNAL)));
  }

  private boolean isUnfinished(DeploymentId id) {
    return database
        .read(tx -> store.find(tx, id))
        .filter(deployment -> deployment.status().unfinished())
        .isPresent();
  }
}
