package dev.slipway.preview;

import dev.slipway.core.PreviewId;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forgets a removed preview once it has been readable for long enough. */
final class ForgetJob implements Job {
  static final Kind KIND = new Kind("forget-preview", Queue.CHORES);

  /** For how long a removed preview can be read. */
  static final Duration KEPT = Duration.ofDays(30);

  private static final Duration BUSY = Duration.ofHours(1);
  private static final Logger log = LoggerFactory.getLogger(ForgetJob.class);

  private final Database database;
  private final PreviewStore store;

  ForgetJob(Database database, PreviewStore store) {
    this.database = database;
    this.store = store;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    PreviewId id = new PreviewId(subjectId);
    return database.inTransaction(tx -> {
      if (store.find(tx, id).isEmpty()) {
        return Outcome.DONE; // gone with its project
      }
      // What is behind it may take long to end.
      return store.forget(tx, id) ? Outcome.DONE : new Outcome.Again(BUSY);
    });
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // The row stays, and goes with its project.
    log.error("preview={} was not forgotten", subjectId, cause);
  }
}
