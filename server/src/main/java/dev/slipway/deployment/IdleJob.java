package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import dev.slipway.edge.EdgeServer;
import dev.slipway.edge.Routes;
import dev.slipway.instance.Instances;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import dev.slipway.project.Restart;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops what serves a project when nobody has asked for it for as long as its owner says; the next
 * request starts it ({@link Starter}). There is one for each project that may sleep, for as long as
 * it may: one that ended could miss that the project was woken at that moment.
 */
final class IdleJob implements Job {
  static final Kind KIND = new Kind("idle", Queue.CHORES);
  private static final Logger log = LoggerFactory.getLogger(IdleJob.class);

  private final Database database;
  private final Records records;
  private final Instances instances;
  private final Routes routes;
  private final EdgeServer edge;
  private final Clock clock;

  IdleJob(
      Database database,
      Records records,
      Instances instances,
      Routes routes,
      EdgeServer edge,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.instances = instances;
    this.routes = routes;
    this.edge = edge;
    this.clock = clock;
  }

  /** Looks at the project now, whenever it would have been looked at. */
  static void schedule(Handle tx, ProjectId id, Instant now) {
    Jobs.withdraw(tx, KIND, id.value());
    Jobs.schedule(tx, KIND, id.value(), now);
  }

  /** The same, for one that may sleep. */
  static void scheduleFor(Handle tx, Project project, Instant now) {
    if (project.settings().sleepAfter().isPresent()) {
      schedule(tx, project.id(), now);
    }
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    ProjectId id = new ProjectId(subjectId);
    Optional<Project> project =
        database.read(tx -> records.projects().find(tx, id)).filter(it -> !it.deleted());
    Optional<Duration> sleepAfter = project.flatMap(it -> it.settings().sleepAfter());
    if (sleepAfter.isEmpty()) {
      return Outcome.DONE;
    }
    Duration idle =
        project
            .flatMap(Project::liveDeploymentId)
            .flatMap(live ->
                instances.healthy(live).stream().map(edge::idle).min(Comparator.naturalOrder()))
            .orElse(Duration.ZERO);
    Duration left = sleepAfter.get().minus(idle);
    if (left.isPositive()) {
      return new Outcome.Again(left);
    }
    if (routes.changing(tx -> fallAsleep(tx, id))) {
      log.info("project={} sleeps: no request for {}", id, sleepAfter.get());
    }
    return new Outcome.Again(sleepAfter.get());
  }

  /** False where it is to stay awake after all. */
  private boolean fallAsleep(Handle tx, ProjectId id) {
    Project project = records.projects().lock(tx, id);
    Optional<Duration> sleepAfter = project.settings().sleepAfter();
    Optional<DeploymentId> live = project.liveDeploymentId();
    if (sleepAfter.isEmpty()
        || live.isEmpty()
        || project.restart().filter(Restart::running).isPresent()) {
      return false;
    }
    List<InstanceId> awake = instances.healthy(tx, live.get());
    // Here it is decided: a request that comes from now on finds it asleep and wakes it.
    tx.afterRollback(() -> edge.reopen(awake));
    if (awake.isEmpty() || !edge.closeIdle(awake, sleepAfter.get())) {
      return false;
    }
    for (InstanceId instance : awake) {
      instances.withdraw(tx, instance);
      Jobs.schedule(tx, DrainJob.KIND, instance.value(), clock.instant());
    }
    records.projects().fallAsleep(tx, id, live.get());
    return true;
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // It stays awake until it is looked at again: after the next start of the server at the latest.
  }
}
