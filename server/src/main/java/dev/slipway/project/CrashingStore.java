package dev.slipway.project;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Deployments whose program crashes again and again. Every call runs in the caller's transaction.
 */
public final class CrashingStore {
  private static final String BEGIN =
      """
      INSERT INTO crashing (deployment_id, crashed, crashing_since, crash_code, crash_message, last_lines)
      VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT DO NOTHING
      """;

  private static final String END = "DELETE FROM crashing WHERE deployment_id = ?";

  private static final String ALL = "SELECT deployment_id FROM crashing";

  private static final String FIND = "SELECT * FROM crashing WHERE deployment_id = ?";

  /**
   * What is told of the crashes.
   *
   * @param crashed stands for the instances that are gone, so that a reader of the program's log
   *     knows that he has read this
   * @param lastLines that the program printed, masked
   */
  public record Report(InstanceId crashed, Crashing crashing, List<String> lastLines) {}

  /** Changes nothing where it is known. */
  public void begin(Handle tx, DeploymentId deployment, Report report) {
    tx.execute(
        BEGIN,
        deployment.value(),
        report.crashed().value(),
        report.crashing().since(),
        report.crashing().failure().code().name(),
        report.crashing().failure().message(),
        String.join("\n", report.lastLines()));
  }

  /** It does so no more. */
  public void end(Handle tx, DeploymentId deployment) {
    tx.execute(END, deployment.value());
  }

  public List<DeploymentId> all(Handle tx) {
    return tx.createQuery(ALL).mapTo(DeploymentId.class).list();
  }

  public Optional<Report> find(Handle tx, DeploymentId deployment) {
    return tx.createQuery(FIND)
        .bind(0, deployment.value())
        .map((row, context) ->
            new Report(
                new InstanceId(row.getString("crashed")),
                read(row).orElseThrow(),
                row.getString("last_lines").lines().toList()))
        .findOne();
  }

  /** Of its row, or of that of a project together with it. */
  static Optional<Crashing> read(ResultSet row) throws SQLException {
    Optional<Instant> since =
        Optional.ofNullable(row.getTimestamp("crashing_since")).map(Timestamp::toInstant);
    if (since.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Crashing(
            since.get(),
            new Failure(
                FailureCode.valueOf(row.getString("crash_code")), row.getString("crash_message"))));
  }
}
