package dev.slipway.deployment;

import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import dev.slipway.project.Restart;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After the place or the login of a database has changed: what serves with the earlier ones is
 * restarted, and previews that are awake with them are put to sleep. What is being started with
 * them at that moment finds out before it takes requests ({@link Variables#areCurrent}).
 */
final class RenewJob implements Job {
  static final Kind KIND = new Kind("renew", Queue.WORK);
  private static final String SEPARATOR = ":";
  private static final Duration RESTART_UNDER_WAY = Duration.ofMillis(500);
  private static final Duration ONCE_MORE_AFTER = Duration.ofMinutes(1);
  private static final Logger log = LoggerFactory.getLogger(RenewJob.class);

  private final Database database;
  private final Records records;
  private final DatabaseUseStore uses;
  private final DatabaseService databases;
  private final RestartService restarts;
  private final Clock clock;

  RenewJob(
      Database database,
      Records records,
      DatabaseUseStore uses,
      DatabaseService databases,
      RestartService restarts,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.uses = uses;
    this.databases = databases;
    this.restarts = restarts;
    this.clock = clock;
  }

  /** Each change has a job of its own: one that is at its end would not notice another change. */
  static void schedule(Handle tx, DatabaseId id, Instant now) {
    Jobs.schedule(tx, KIND, id.value() + SEPARATOR + UUID.randomUUID(), now);
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) {
    DatabaseId id = databaseOf(subjectId);
    boolean done = true;
    for (ProjectId project : database.read(tx -> uses.projects(tx, id))) {
      done &= database.inTransaction(tx -> renew(tx, id, project));
    }
    return done ? Outcome.DONE : new Outcome.Again(RESTART_UNDER_WAY);
  }

  /** False where a restart is under way, which may have exchanged some before the change. */
  private boolean renew(Handle tx, DatabaseId id, ProjectId projectId) {
    Project project = records.projects().lock(tx, projectId);
    if (project.deleted()) {
      return true;
    }
    boolean done = true;
    List<DeploymentId> outdated = uses.outdated(tx, id, projectId, databases.version(tx, id));
    for (DeploymentId deployment : outdated) {
      if (!project.liveDeploymentId().equals(Optional.of(deployment))) {
        Jobs.schedule(tx, RetireJob.KIND, deployment.value(), clock.instant());
      } else if (project.restart().filter(Restart::running).isPresent()) {
        done = false;
      } else {
        restarts.begin(tx, project);
        log.info("database={} deployment={} is restarted", id, deployment);
      }
    }
    return done;
  }

  private static DatabaseId databaseOf(String subjectId) {
    return new DatabaseId(subjectId.substring(0, subjectId.indexOf(SEPARATOR)));
  }

  /** The change waits for it, and would be under way for ever: another job goes on. */
  @Override
  public void giveUp(String subjectId, Throwable cause) {
    DatabaseId id = databaseOf(subjectId);
    log.error("database={} what uses it was not restarted yet, and is tried again", id, cause);
    database.useTransaction(tx -> schedule(tx, id, clock.instant().plus(ONCE_MORE_AFTER)));
  }
}
