package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Failure;
import dev.slipway.job.Job;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * What a database was asked for, and is in the status of until it is done: whatever goes wrong is
 * written down as its last word, if the run was not overtaken.
 */
abstract class TaskJob implements Job {
  private final Kind kind;
  private final DatabaseStatus status;
  final Runs runs;

  TaskJob(Kind kind, DatabaseStatus status, Runs runs) {
    this.kind = kind;
    this.status = status;
    this.runs = runs;
  }

  /**
   * @throws AppFailure as which it ends
   */
  abstract Outcome work(Run run) throws InterruptedException;

  /** Writes what is true after a failure, with the database's row locked. */
  abstract void fail(Handle tx, Run run, Failure failure);

  @Override
  public final Kind kind() {
    return kind;
  }

  @Override
  public final Outcome run(String subjectId) throws InterruptedException {
    Optional<Run> begun = runs.begin(subjectId, status);
    if (begun.isEmpty()) {
      return Outcome.DONE;
    }
    Run run = begun.get();
    try {
      return work(run);
    } catch (AppFailure e) {
      return runs.conclude(
          run,
          tx -> {
            fail(tx, run, e.failure());
            return Outcome.DONE;
          });
    }
  }

  @Override
  public final void giveUp(String subjectId, Throwable cause) {
    runs.giveUp(subjectId, status, (tx, run) -> fail(tx, run, Runs.failure(cause)));
  }
}
