package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.db.Database;
import dev.slipway.db.FileHold;
import dev.slipway.edge.Routes;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.release.ReleaseStore;
import dev.slipway.tool.Toolbox;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets go of the releases of a project beyond those that are kept, and of tools that none needs.
 */
final class PruneJob implements Job {
  static final Kind KIND = new Kind("prune", Queue.CHORES);

  /**
   * The one that serves and the one before it stay, whatever is configured. A preview needs no
   * more: nobody goes back to an earlier commit of a pull request.
   */
  private static final int KEPT_ALWAYS = 2;

  /** A backup copies the files that would be deleted. */
  private static final Duration BACKUP_PAUSE = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(PruneJob.class);

  private final Database database;
  private final Records records;
  private final ReleaseStore releases;
  private final Toolbox toolbox;
  private final Routes routes;
  private final int keep;
  private final Clock clock;

  PruneJob(
      Database database,
      Records records,
      ReleaseStore releases,
      Toolbox toolbox,
      Routes routes,
      int keep,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.releases = releases;
    this.toolbox = toolbox;
    this.routes = routes;
    this.keep = Math.max(KEPT_ALWAYS, keep);
    this.clock = clock;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    if (FileHold.isHeld(database)) {
      return new Outcome.Again(BACKUP_PAUSE);
    }
    ProjectId project = new ProjectId(subjectId);
    List<ReleaseId> pruned =
        routes.changing(tx -> {
          // A rollback that is being accepted counts as unfinished work.
          boolean hidden = records.projects().lock(tx, project).hidden();
          List<ReleaseId> marked =
              records.releases().prune(tx, project, hidden ? KEPT_ALWAYS : keep, clock.instant());
          for (ReleaseId release : marked) {
            for (DeploymentId deployment : records.deployments().ofRelease(tx, release)) {
              // Its preview may be awake.
              Jobs.schedule(tx, RetireJob.KIND, deployment.value(), clock.instant());
            }
          }
          return marked;
        });
    if (!pruned.isEmpty()) {
      Set<ReleaseId> kept = database.read(records.releases()::allKept);
      if (!FileHold.isHeld(database)) { // A backup that began just now: the next one collects.
        releases.collect(kept);
      }
    }
    toolbox.collect();
    return Outcome.DONE;
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // Nothing is lost: the next deployment that goes live tries again.
    log.warn("project={} releases were not pruned: {}", subjectId, cause.toString());
  }
}
