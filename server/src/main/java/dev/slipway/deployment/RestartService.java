package dev.slipway.deployment;

import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RequestException;
import dev.slipway.core.RestartId;
import dev.slipway.db.Database;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectAccess;
import dev.slipway.project.Restart;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Takes the wish to have what serves a project started anew. Thread-safe. */
public final class RestartService {
  private final Database database;
  private final Records records;
  private final ProjectAccess access;
  private final Clock clock;

  RestartService(Database database, Records records, Clock clock) {
    this.database = database;
    this.records = records;
    this.access = new ProjectAccess(records.projects());
    this.clock = clock;
  }

  /**
   * Asks for a restart, which is done at once where a site serves; answers the project, which tells
   * how it goes.
   *
   * @throws RequestException {@code NOT_FOUND}, {@code FORBIDDEN}; {@code CONFLICT} where nothing
   *     serves or a restart is under way
   */
  public Project restart(AccountId account, ProjectId id) {
    return database.inTransaction(tx -> {
      Project project = access.lock(tx, account, id);
      if (project.liveDeploymentId().isEmpty()) {
        throw new RequestException(
            ErrorCode.CONFLICT,
            "Nothing serves project %s yet that could be restarted; deploy it first."
                .formatted(id));
      }
      if (project.restart().filter(Restart::running).isPresent()) {
        throw new RequestException(
            ErrorCode.CONFLICT,
            "A restart of project %s is under way; wait until it has ended.".formatted(id));
      }
      begin(tx, project);
      return records.projects().find(tx, id).orElseThrow();
    });
  }

  /** The project's row is locked, something serves it, and no restart is under way. */
  void begin(Handle tx, Project project) {
    RestartId restart = RestartId.next();
    Instant now = clock.instant();
    records.restarts().begin(tx, project.id(), restart, now);
    if (servesFiles(tx, project)) {
      records.restarts().end(tx, restart, Optional.empty(), now);
    } else {
      Jobs.schedule(tx, RestartJob.KIND, restart.value(), now);
    }
  }

  private boolean servesFiles(Handle tx, Project project) {
    return project
        .liveDeploymentId()
        .flatMap(live -> records.deployments().find(tx, live))
        .filter(live -> records.isSite(tx, live))
        .isPresent();
  }
}
