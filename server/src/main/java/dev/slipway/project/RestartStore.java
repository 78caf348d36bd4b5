package dev.slipway.project;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.RestartId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * The latest restart of each project, which stands in the project's row. Every call runs in the
 * caller's transaction.
 */
public final class RestartStore {
  private static final String BEGIN =
      """
      UPDATE project
         SET restart_id = ?, restart_status = 'RUNNING', restart_requested_at = ?,
             restart_completed_at = NULL, restart_error_code = NULL, restart_error_message = NULL
       WHERE id = ?
      """;

  private static final String END =
      """
      UPDATE project
         SET restart_status = ?, restart_completed_at = ?, restart_error_code = ?,
             restart_error_message = ?
       WHERE restart_id = ? AND restart_status = 'RUNNING'
      """;

  private static final String RESTARTING =
      """
      SELECT live_deployment_id FROM project
       WHERE restart_status = 'RUNNING' AND live_deployment_id IS NOT NULL
      """;

  /** In place of the one before, which has ended. */
  public void begin(Handle tx, ProjectId project, RestartId restart, Instant now) {
    tx.execute(BEGIN, restart.value(), now, project.value());
  }

  /** False where it has ended before. */
  public boolean end(Handle tx, RestartId restart, Optional<Failure> failure, Instant now) {
    Restart.Status status = failure.isPresent() ? Restart.Status.FAILED : Restart.Status.DONE;
    return tx.execute(
            END,
            status.name(),
            now,
            failure.map(it -> it.code().name()).orElse(null),
            failure.map(Failure::message).orElse(null),
            restart.value())
        == 1;
  }

  /** The deployments that serve and are being restarted. */
  public Set<DeploymentId> restarting(Handle tx) {
    return tx.createQuery(RESTARTING).mapTo(String.class).list().stream()
        .map(DeploymentId::new)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Of the row of a project. */
  static Optional<Restart> read(ResultSet row) throws SQLException {
    Optional<String> id = Optional.ofNullable(row.getString("restart_id"));
    if (id.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> code = Optional.ofNullable(row.getString("restart_error_code"));
    Optional<String> message = Optional.ofNullable(row.getString("restart_error_message"));
    return Optional.of(
        new Restart(
            new RestartId(id.get()),
            Restart.Status.valueOf(row.getString("restart_status")),
            row.getTimestamp("restart_requested_at").toInstant(),
            Optional.ofNullable(row.getTimestamp("restart_completed_at")).map(Timestamp::toInstant),
            code.map(it -> new Failure(FailureCode.valueOf(it), message.orElse("")))));
  }
}
