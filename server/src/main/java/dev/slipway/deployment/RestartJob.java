package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.InstanceId;
import dev.slipway.core.RestartId;
import dev.slipway.core.Turns;
import dev.slipway.db.Database;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Target;
import dev.slipway.instance.Instances;
import dev.slipway.instance.Started;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import dev.slipway.project.Restart;
import dev.slipway.runlog.Masker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts what serves a project a second time, from the same release, and lets it take the place of
 * the first; of several instances one after the other. Where one does not start, or something else
 * has gone live in the meantime, what serves goes on serving.
 */
final class RestartJob implements Job {
  static final Kind KIND = new Kind("restart", Queue.WORK);
  private static final Duration TURN = Duration.ofMillis(200);
  private static final Logger log = LoggerFactory.getLogger(RestartJob.class);

  private final Database database;
  private final Records records;
  private final Launcher launcher;
  private final Variables variables;
  private final Instances instances;
  private final Routes routes;
  private final Turns turns;
  private final Clock clock;

  /**
   * @param turns of jobs that wait for programs
   */
  RestartJob(
      Database database,
      Records records,
      Launcher launcher,
      Variables variables,
      Instances instances,
      Routes routes,
      Turns turns,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.launcher = launcher;
    this.variables = variables;
    this.instances = instances;
    this.routes = routes;
    this.turns = turns;
    this.clock = clock;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    RestartId id = new RestartId(subjectId);
    Optional<Deployment> serving = database.read(tx -> serving(tx, id));
    if (serving.isEmpty()) {
      return Outcome.DONE;
    }
    Optional<Turns.Turn> turn = turns.tryTake(serving.get().accountId());
    if (turn.isEmpty()) {
      return new Outcome.Again(TURN);
    }
    try (Turns.Turn _ = turn.get()) {
      restart(id, serving.get());
    }
    return Outcome.DONE;
  }

  private Optional<Deployment> serving(Handle tx, RestartId id) {
    return records
        .projects()
        .ofRestart(tx, id)
        .flatMap(Project::liveDeploymentId)
        .flatMap(live -> records.deployments().find(tx, live));
  }

  private void restart(RestartId id, Deployment serving) throws InterruptedException {
    try {
      while (database.read(tx -> isWanted(tx, id))) {
        switch (launcher.startAnother(serving)) {
          case Started.Healthy(Target target) -> takeOver(id, serving, target);
          case Started.Failed failed -> fail(id, reason(serving, failed));
        }
      }
    } finally {
      // What an exception says of a commit may be wrong, and so may a first run that was cut off.
      instances.settle(serving.id(), true);
    }
  }

  private boolean isWanted(Handle tx, RestartId id) {
    return records
        .projects()
        .ofRestart(tx, id)
        .flatMap(Project::restart)
        .filter(Restart::running)
        .isPresent();
  }

  private void takeOver(RestartId id, Deployment serving, Target target) {
    boolean done = routes.changing(tx -> takeOver(tx, id, serving, target.instance()));
    if (done) {
      instances.watch(serving.id(), target.instance());
    } else {
      instances.end(target.instance());
    }
    log.info("deployment={} restart={} exchanged={}", serving.id(), id, done);
  }

  /**
   * One new instance for an old one; with the last of them the restart is done. False where
   * something else went live, or the project was deleted: that ended the restart; or where another
   * has to be started in place of the new one.
   */
  private boolean takeOver(Handle tx, RestartId id, Deployment serving, InstanceId fresh) {
    Instant now = clock.instant();
    Project project = records.projects().lock(tx, serving.projectId());
    Optional<Restart> running = project.restart().filter(it -> it.id().equals(id) && it.running());
    if (running.isEmpty() || !project.liveDeploymentId().equals(Optional.of(serving.id()))) {
      return false;
    }
    if (!variables.areCurrent(tx, serving, fresh)) {
      return false;
    }
    List<InstanceId> old =
        instances.healthyBefore(tx, serving.id(), running.get().requestedAt()).stream()
            .filter(it -> !it.equals(fresh))
            .toList();
    if (!instances.markHealthy(tx, fresh)) {
      throw new IllegalStateException(fresh + " was ended while it took over");
    }
    records.projects().awake(tx, project.id());
    IdleJob.scheduleFor(tx, project, now);
    if (!old.isEmpty()) {
      instances.withdraw(tx, old.getFirst());
      Jobs.schedule(tx, DrainJob.KIND, old.getFirst().value(), now);
    }
    if (old.size() <= 1) {
      records.restarts().end(tx, id, Optional.empty(), now);
      ScaleJob.schedule(tx, project.id(), now); // some may have crashed in the meantime
    }
    return true;
  }

  /** Why, as the owner may read it: without secrets, and with the program's last word. */
  private Failure reason(Deployment serving, Started.Failed failed) {
    Masker masker = database.read(tx -> variables.masker(tx, serving.id()));
    String lastWord =
        failed.lastLines().isEmpty()
            ? ""
            : " The last line that it printed: " + failed.lastLines().getLast();
    return new Failure(failed.failure().code(), masker.mask(failed.failure().message() + lastWord));
  }

  private void fail(RestartId id, Failure failure) {
    database.useTransaction(
        tx -> records.restarts().end(tx, id, Optional.of(failure), clock.instant()));
    log.info("restart={} failed code={}", id, failure.code().wireName());
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    RestartId id = new RestartId(subjectId);
    fail(id, Moves.INTERNAL);
    database
        .read(tx -> records.projects().ofRestart(tx, id))
        .flatMap(Project::liveDeploymentId)
        .ifPresent((DeploymentId live) -> instances.endStarting(live));
  }
}
