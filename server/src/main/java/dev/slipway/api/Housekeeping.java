package dev.slipway.api;

import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what users and clients left in the store and on disk and is needed no more; every few
 * minutes, for ever.
 */
final class Housekeeping implements Job {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);
  private static final Kind KIND = new Kind("api-housekeeping", Queue.CHORES);
  private static final String ALL = "all";
  private static final Duration EVERY = Duration.ofMinutes(5);

  private final List<Runnable> chores;

  Housekeeping(List<Runnable> chores) {
    this.chores = List.copyOf(chores);
  }

  /** Once for all servers, however often it is asked for. */
  static void schedule(Database database, Clock clock) {
    database.useTransaction(tx -> Jobs.schedule(tx, KIND, ALL, clock.instant()));
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    chores.forEach(Housekeeping::attempt);
    return new Outcome.Again(EVERY);
  }

  /**
   * What it throws is not passed on: the other chores come next whatever becomes of one, and a job
   * that fails too often is given up, which this one must not be.
   */
  private static void attempt(Runnable chore) {
    try {
      chore.run();
    } catch (TransientException | UncheckedIOException e) {
      log.warn("a chore of housekeeping is put off: {}", e.toString());
    } catch (RuntimeException e) {
      log.error("a chore of housekeeping failed, it is tried again", e);
    }
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // It begins anew with the next start of a server.
  }
}
