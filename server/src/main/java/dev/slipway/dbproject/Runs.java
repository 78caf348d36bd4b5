package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** How runs of jobs begin and end. */
final class Runs {
  private static final int TRIES = 6;
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final Database database;
  private final DatabaseStore store;
  private final LeftoverStore leftovers;
  private final Clock clock;

  Runs(Database database, DatabaseStore store, LeftoverStore leftovers, Clock clock) {
    this.database = database;
    this.store = store;
    this.leftovers = leftovers;
    this.clock = clock;
  }

  /** Begins anew: what an earlier run made is doomed. Empty where there is nothing to do. */
  Optional<Run> begin(String subject, DatabaseStatus status) {
    return database.inTransaction(tx -> begin(tx, subject, status));
  }

  private Optional<Run> begin(Handle tx, String subject, DatabaseStatus status) {
    Optional<Run> begun = store.begin(tx, Task.of(subject), status);
    begun.ifPresent(run -> leftovers.doom(tx, run.id(), Leftover.State.MADE, clock.instant()));
    return begun;
  }

  boolean isCurrent(Run run) {
    return database.read(tx -> store.isCurrent(tx, run));
  }

  /**
   * Writes what comes of a run, with the database's row locked; tried for a while where the store
   * does not answer, as hours of work may hang on it.
   *
   * @return what they return; where the run was overtaken nothing is written, and it is done
   */
  Job.Outcome conclude(Run run, Function<Handle, Job.Outcome> writes) throws InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        return database.inTransaction(
            tx -> store.hold(tx, run) ? writes.apply(tx) : Job.Outcome.DONE);
      } catch (TransientException e) {
        if (tries == TRIES) {
          throw e;
        }
        Thread.sleep(PAUSE);
      }
    }
  }

  /**
   * Writes the last word on a subject, unless there is nothing to do any more: in the transaction
   * that begins the run, so that nothing else ends the turn in between.
   */
  void giveUp(String subject, DatabaseStatus status, BiConsumer<Handle, Run> writes) {
    database.useTransaction(
        tx -> begin(tx, subject, status).ifPresent(run -> writes.accept(tx, run)));
  }

  /** What is said of a job that is given up. */
  static Failure failure(Throwable cause) {
    return Stream.iterate(cause, Objects::nonNull, Throwable::getCause)
        .filter(AppFailure.class::isInstance)
        .map(it -> ((AppFailure) it).failure())
        .findFirst()
        .orElse(
            new Failure(
                FailureCode.INTERNAL_ERROR,
                "Something went wrong on our side; nothing was changed. Please try again."));
  }
}
