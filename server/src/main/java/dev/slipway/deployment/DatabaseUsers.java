package dev.slipway.deployment;

import dev.slipway.core.Failure;
import dev.slipway.dbproject.DatabaseListener;
import dev.slipway.dbproject.DatabaseProject;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.job.Jobs;
import dev.slipway.project.Restart;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.RunLogs;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * What becomes of deployments when something becomes of their database.
 *
 * <p>The database's row decides whether a deployment waits: whoever queues one holds it, and so
 * does whoever calls {@link #ready} or {@link #failed}. So one that is queued to wait is found by
 * these.
 */
final class DatabaseUsers implements DatabaseListener {
  private final Records records;
  private final DatabaseUseStore uses;
  private final DatabaseService databases;
  private final RunLogs logs;
  private final Moves moves;

  DatabaseUsers(
      Records records,
      DatabaseUseStore uses,
      DatabaseService databases,
      RunLogs logs,
      Moves moves) {
    this.records = records;
    this.uses = uses;
    this.databases = databases;
    this.logs = logs;
    this.moves = moves;
  }

  @Override
  public void news(Handle tx, DatabaseProject database, LogLevel level, String sentence) {
    uses.waiting(tx, database.id()).forEach(it -> logs.append(tx, it.logId(), level, sentence));
  }

  @Override
  public boolean isAwaited(Handle tx, DatabaseProject database) {
    return !uses.waiting(tx, database.id()).isEmpty();
  }

  /** One that is canceled at this moment has a job that finds nothing to do. */
  @Override
  public void ready(Handle tx, DatabaseProject database) {
    for (Deployment waiting : uses.waiting(tx, database.id())) {
      logs.append(tx, waiting.logId(), LogLevel.INFO, "Its database is ready.");
      Jobs.schedule(tx, BuildJob.KIND, waiting.id().value(), waiting.times().created());
    }
  }

  @Override
  public void failed(Handle tx, DatabaseProject database, Failure failure) {
    uses.lockWaiting(tx, database.id()).forEach(it -> moves.fail(tx, it, failure));
  }

  /** By a job: whoever asks for a deployment locks its project first and then the database. */
  @Override
  public void changed(Handle tx, DatabaseProject database, Instant now) {
    RenewJob.schedule(tx, database.id(), now);
  }

  @Override
  public Following following(Handle tx, DatabaseProject database, Instant changedAt) {
    String version = databases.version(tx, database.id());
    Optional<Failure> failure =
        uses.servedOutdated(tx, database.id(), version).stream()
            .flatMap(id -> records.projects().find(tx, id).orElseThrow().restart().stream())
            .filter(restart -> !restart.requestedAt().isBefore(changedAt))
            .flatMap((Restart restart) -> restart.failure().stream())
            .findFirst();
    if (failure.isPresent()) {
      return new Following.Failed(failure.get());
    }
    return uses.earlierInUse(tx, database.id(), version)
        ? new Following.Underway()
        : new Following.Done();
  }
}
