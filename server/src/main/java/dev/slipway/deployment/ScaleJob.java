package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * After the number of a project's instances was changed: what serves gets as many. The upkeep does
 * it, so that programs that take long to start hold up nobody's jobs; it finds what is missing
 * again after a restart of the server.
 */
final class ScaleJob implements Job {
  static final Kind KIND = new Kind("scale", Queue.WORK);
  private static final String SEPARATOR = ":";

  private final Database database;
  private final Records records;
  private final Upkeep upkeep;

  ScaleJob(Database database, Records records, Upkeep upkeep) {
    this.database = database;
    this.records = records;
    this.upkeep = upkeep;
  }

  /**
   * Each wish is a job of its own: one that is asked for while another is at its end would be lost.
   */
  static void schedule(Handle tx, ProjectId project, Instant now) {
    Jobs.schedule(tx, KIND, project.value() + SEPARATOR + UUID.randomUUID(), now);
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    live(subjectId).ifPresent(upkeep::adjustSoon);
    return Outcome.DONE;
  }

  private Optional<DeploymentId> live(String subjectId) {
    ProjectId project = new ProjectId(subjectId.substring(0, subjectId.indexOf(SEPARATOR)));
    return database
        .read(tx -> records.projects().find(tx, project))
        .flatMap(Project::liveDeploymentId);
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // The upkeep looks by itself, too.
  }
}
