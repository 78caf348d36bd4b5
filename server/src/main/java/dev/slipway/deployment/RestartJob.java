package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.InstanceId;
import dev.slipway.core.RestartId;
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
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts what serves a project a second time, from the same release, and lets it take the place of
 * the first. Where it does not start, or something else has gone live in the meantime, what serves
 * goes on serving.
 */
final class RestartJob implements Job {
  static final Kind KIND = new Kind("restart", Queue.WORK);
  private static final Logger log = LoggerFactory.getLogger(RestartJob.class);

  private final Database database;
  private final Records records;
  private final Launcher launcher;
  private final Instances instances;
  private final Routes routes;
  private final Clock clock;

  RestartJob(
      Database database,
      Records records,
      Launcher launcher,
      Instances instances,
      Routes routes,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.launcher = launcher;
    this.instances = instances;
    this.routes = routes;
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
    if (serving.isPresent()) {
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
      if (database.read(tx -> isWanted(tx, id))) {
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
    if (!done) {
      instances.end(target.instance());
    }
    log.info("deployment={} restart={} done={}", serving.id(), id, done);
  }

  /** False where something else went live, or the project was deleted: that ended the restart. */
  private boolean takeOver(Handle tx, RestartId id, Deployment serving, InstanceId fresh) {
    Instant now = clock.instant();
    Project project = records.projects().lock(tx, serving.projectId());
    if (!project.liveDeploymentId().equals(Optional.of(serving.id()))
        || !records.restarts().end(tx, id, Optional.empty(), now)) {
      return false;
    }
    if (!instances.markHealthy(tx, fresh)) {
      throw new IllegalStateException(fresh + " was ended while it took over");
    }
    for (InstanceId old : instances.withdrawOthers(tx, serving.id(), fresh)) {
      Jobs.schedule(tx, DrainJob.KIND, old.value(), now);
    }
    return true;
  }

  /** Why, as the owner may read it: without secrets, and with the program's last word. */
  private Failure reason(Deployment serving, Started.Failed failed) {
    Masker masker =
        new Masker(
            database.read(tx -> records.deployments().env(tx, serving.id())).values().values());
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
    fail(id, Endings.INTERNAL);
    database
        .read(tx -> records.projects().ofRestart(tx, id))
        .flatMap(Project::liveDeploymentId)
        .ifPresent((DeploymentId live) -> instances.endStarting(live));
  }
}
