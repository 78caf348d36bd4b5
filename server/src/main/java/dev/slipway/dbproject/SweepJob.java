package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.TransientException;
import dev.slipway.database.DatabaseServer;
import dev.slipway.db.Database;
import dev.slipway.job.Job;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drops one leftover, however long its server is away. */
final class SweepJob implements Job {
  static final Kind KIND = new Kind("database-sweep", Queue.DATABASES);
  private static final Logger log = LoggerFactory.getLogger(SweepJob.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final Database database;
  private final LeftoverStore leftovers;
  private final Servers servers;

  SweepJob(Database database, LeftoverStore leftovers, Servers servers) {
    this.database = database;
    this.leftovers = leftovers;
    this.servers = servers;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    Optional<Leftover> doomed =
        database
            .read(tx -> leftovers.find(tx, subjectId))
            .filter(leftover -> leftover.state() == Leftover.State.DOOMED);
    if (doomed.isEmpty()) {
      return Outcome.DONE;
    }
    try {
      drop(doomed.get());
    } catch (AppFailure | TransientException e) {
      // Not passed on: a job that fails too often is given up, and this one must not be.
      log.warn("leftover={} not dropped, again in {}: {}", subjectId, PAUSE, e.getMessage());
      return new Outcome.Again(PAUSE);
    }
    return Outcome.DONE;
  }

  private void drop(Leftover doomed) {
    DatabaseServer server = servers.known(doomed.type(), doomed.server());
    if (doomed.login().isEmpty()) {
      server.drop(doomed.name());
    } else {
      server.dropLogin(doomed.name(), doomed.login());
    }
    database.useTransaction(tx -> leftovers.delete(tx, doomed));
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    // It is tried again after the next start of a server.
  }
}
