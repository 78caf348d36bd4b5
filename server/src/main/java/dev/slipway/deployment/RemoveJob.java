package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.db.Database;
import dev.slipway.db.FileHold;
import dev.slipway.edge.Routes;
import dev.slipway.instance.Instances;
import dev.slipway.job.Job;
import dev.slipway.release.ReleaseStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** After a project was deleted: ends its programs and lets go of its releases. */
final class RemoveJob implements Job {
  static final Kind KIND = new Kind("remove", Queue.CHORES);

  /** Files that were just written are not collected: then it looks once more. */
  private static final Duration FILES_ARE_OLD = ReleaseStore.MINIMUM_AGE.plusHours(1);

  /** A backup copies the files that would be deleted. */
  private static final Duration BACKUP_PAUSE = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(RemoveJob.class);

  private final Database database;
  private final Records records;
  private final Instances instances;
  private final ReleaseStore releases;
  private final Routes routes;
  private final Retirement retirement;
  private final Clock clock;

  RemoveJob(
      Database database,
      Records records,
      Instances instances,
      ReleaseStore releases,
      Routes routes,
      Retirement retirement,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.instances = instances;
    this.releases = releases;
    this.routes = routes;
    this.retirement = retirement;
    this.clock = clock;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    ProjectId project = new ProjectId(subjectId);
    retirement.retire(instances.deploymentsOf(project));
    if (FileHold.isHeld(database)) {
      return new Outcome.Again(BACKUP_PAUSE);
    }
    int pruned = routes.changing(tx -> records.releases().pruneAll(tx, project, clock.instant()));
    Set<ReleaseId> kept = database.read(records.releases()::allKept);
    if (!FileHold.isHeld(database)) { // A backup that began just now: the next look collects.
      releases.collect(kept);
    }
    log.info("project={} removed", project);
    return pruned > 0 ? new Outcome.Again(FILES_ARE_OLD) : Outcome.DONE;
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    for (DeploymentId deployment : instances.deploymentsOf(new ProjectId(subjectId))) {
      instances.endAll(deployment);
    }
    // Its releases may stay on the disk.
    log.error("project={} was not removed", subjectId, cause);
  }
}
