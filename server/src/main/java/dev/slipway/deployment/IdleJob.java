package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Traffic;
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
import java.util.Set;
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
  private final Traffic traffic;
  private final Clock clock;

  IdleJob(
      Database database,
      Records records,
      Instances instances,
      Routes routes,
      Traffic traffic,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.instances = instances;
    this.routes = routes;
    this.traffic = traffic;
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
    List<InstanceId> awake =
        project.flatMap(Project::liveDeploymentId).map(instances::healthy).orElse(List.of());
    Duration idle =
        traffic.idle(awake).values().stream().min(Comparator.naturalOrder()).orElse(Duration.ZERO);
    Duration left = sleepAfter.get().minus(idle);
    if (left.isPositive()) {
      return new Outcome.Again(left);
    }
    if (fallAsleep(id, awake, sleepAfter)) {
      log.info("project={} sleeps: no request for {}", id, sleepAfter.get());
    }
    return new Outcome.Again(sleepAfter.get());
  }

  /** False where it is to stay awake after all. */
  private boolean fallAsleep(ProjectId id, List<InstanceId> awake, Optional<Duration> sleepAfter) {
    // Here it is decided: a request that comes from now on waits, finds it asleep and wakes it.
    if (!traffic.closeIdle(awake, sleepAfter.orElseThrow())) {
      return false;
    }
    boolean asleep = false;
    try {
      asleep = routes.changing(tx -> fallAsleep(tx, id, awake, sleepAfter));
    } finally {
      if (!asleep) {
        traffic.reopen(awake);
      }
    }
    return asleep;
  }

  /**
   * @param closed nobody can ask for these
   */
  private boolean fallAsleep(
      Handle tx, ProjectId id, List<InstanceId> closed, Optional<Duration> sleepAfter) {
    Project project = records.projects().lock(tx, id);
    Optional<DeploymentId> live = project.liveDeploymentId();
    if (project.deleted()
        || !project.settings().sleepAfter().equals(sleepAfter)
        || live.isEmpty()
        || project.restart().filter(Restart::running).isPresent()
        || !Set.copyOf(instances.healthy(tx, live.get())).equals(Set.copyOf(closed))) {
      return false;
    }
    for (InstanceId instance : closed) {
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
