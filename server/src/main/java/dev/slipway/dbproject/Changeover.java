package dev.slipway.dbproject;

import dev.slipway.core.Failure;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/**
 * From what programs got before to what they get now. What was before stays until nothing uses it,
 * no backup either; where a program cannot be restarted, until the next changeover is done.
 */
final class Changeover {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

  private final Database database;
  private final DatabaseStore store;
  private final LeftoverStore leftovers;
  private final BackupStore backups;
  private final Runs runs;
  private final Supplier<DatabaseListener> listener;
  private final Clock clock;

  Changeover(
      Database database,
      DatabaseStore store,
      LeftoverStore leftovers,
      BackupStore backups,
      Runs runs,
      Supplier<DatabaseListener> listener,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.leftovers = leftovers;
    this.backups = backups;
    this.runs = runs;
    this.listener = listener;
    this.clock = clock;
  }

  /** To be called when the row is switched, in the same transaction. */
  Job.Outcome begin(Handle tx, Run run, Instant now) {
    listener.get().changed(tx, store.find(tx, run.id()).orElseThrow(), now);
    return new Job.Outcome.Again(Duration.ZERO);
  }

  /**
   * Looks how far it is.
   *
   * @param still what is true if it fails: a sentence
   */
  Job.Outcome follow(Run run, Instant changedAt, String still) throws InterruptedException {
    DatabaseListener.Following following =
        database.read(tx -> listener.get().following(tx, run.project(), changedAt));
    return switch (following) {
      case DatabaseListener.Following.Underway() -> new Job.Outcome.Again(LOOK_EVERY);
      case DatabaseListener.Following.Done() -> runs.conclude(run, tx -> done(tx, run));
      case DatabaseListener.Following.Failed(Failure failure) ->
          runs.conclude(
              run,
              tx ->
                  end(
                      tx,
                      run,
                      Optional.of(
                          new Failure(
                              failure.code(),
                              "What uses the database could not be restarted: %s %s"
                                  .formatted(failure.message(), still)))));
    };
  }

  private Job.Outcome done(Handle tx, Run run) {
    // One that began before may still read what was before; none begins while this is under way.
    if (backups.isRunningAlone(tx, run.id())) {
      return new Job.Outcome.Again(LOOK_EVERY);
    }
    leftovers.doom(tx, run.id(), Leftover.State.REPLACED, clock.instant());
    return end(tx, run, Optional.empty());
  }

  private Job.Outcome end(Handle tx, Run run, Optional<Failure> failure) {
    store.end(tx, run.id(), DatabaseStatus.READY, failure);
    return Job.Outcome.DONE;
  }
}
