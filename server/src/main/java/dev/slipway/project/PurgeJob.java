package dev.slipway.project;

import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forgets a deleted project once its history has been readable for long enough. */
public final class PurgeJob implements Job {
  static final Kind KIND = new Kind("purge", Queue.CHORES);

  /** For how long the history of a deleted project can be read. */
  static final Duration HISTORY = Duration.ofDays(30);

  /** The same of the row behind a preview that was removed. */
  static final Duration HISTORY_OF_PREVIEWS = Duration.ofDays(1);

  private static final Duration BUSY = Duration.ofHours(1);
  private static final Logger log = LoggerFactory.getLogger(PurgeJob.class);

  private final Database database;
  private final PurgeStore store;

  public PurgeJob(Database database, PurgeStore store) {
    this.database = database;
    this.store = store;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    ProjectId project = new ProjectId(subjectId);
    return database.inTransaction(tx -> {
      if (store.hasInstances(tx, project) || store.hasPreviews(tx, project)) {
        return new Outcome.Again(BUSY);
      }
      if (store.isDeleted(tx, project)) {
        store.purge(tx, project);
        log.info("project={} purged", project);
      }
      return Outcome.DONE;
    });
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // The rows stay. They are seen by nobody but their owner, who may read them a little longer.
    log.error("project={} was not purged", subjectId, cause);
  }
}
