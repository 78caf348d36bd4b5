package dev.slipway.dbproject;

import dev.slipway.core.Failure;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Another login, then what uses the database is restarted, then the earlier login is revoked. */
final class RotateJob extends TaskJob {
  static final Kind KIND = new Kind("database-rotate", Queue.DATABASES);

  private final Database database;
  private final DatabaseStore store;
  private final LeftoverStore leftovers;
  private final Making making;
  private final Changeover changeover;
  private final Clock clock;

  RotateJob(
      Database database,
      DatabaseStore store,
      LeftoverStore leftovers,
      Runs runs,
      Making making,
      Changeover changeover,
      Clock clock) {
    super(KIND, DatabaseStatus.ROTATING, runs);
    this.database = database;
    this.store = store;
    this.leftovers = leftovers;
    this.making = making;
    this.changeover = changeover;
    this.clock = clock;
  }

  @Override
  Outcome work(Run run) throws InterruptedException {
    if (run.changedAt().isPresent()) {
      return changeover.follow(
          run,
          run.changedAt().get(),
          "Its earlier login stays valid until the login is rotated again.");
    }
    Physical present = database.read(tx -> store.physical(tx, run.id())).orElseThrow();
    Optional<Physical> made = making.login(run, present);
    return made.isEmpty()
        ? Outcome.DONE
        : runs.conclude(
            run,
            tx -> {
              Instant now = clock.instant();
              leftovers.put(tx, Leftover.login(run.id(), present, Leftover.State.REPLACED), now);
              making.useLogin(tx, run, made.get(), now);
              return changeover.begin(tx, run, now);
            });
  }

  /** It works as before. */
  @Override
  void fail(Handle tx, Run run, Failure failure) {
    leftovers.doom(tx, run.id(), Leftover.State.MADE, clock.instant());
    store.end(tx, run.id(), DatabaseStatus.READY, Optional.of(failure));
  }
}
