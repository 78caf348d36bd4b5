package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Rows of the timeline: each step of a deployment, with start, end and outcome. */
public final class StepStore {
  /** From the start of the program to its first answer. */
  static final String START = "start";

  private static final String STARTED =
      """
      INSERT INTO deployment_step (deployment_id, attempt, name, started_at) VALUES (?, ?, ?, ?)
          ON CONFLICT (deployment_id, attempt, name)
          DO UPDATE SET started_at = excluded.started_at, ended_at = NULL, outcome = NULL
      """;

  private static final String ENDED =
      """
      UPDATE deployment_step SET ended_at = ?, outcome = ?
       WHERE deployment_id = ? AND attempt = ? AND name = ?
      """;

  // Jobs count on in the attempts of their deployment: of a step that was done again the last
  // counts.
  private static final String LIST =
      """
      SELECT name, started_at, ended_at,
             CASE WHEN outcome = 'succeeded' THEN 'SUCCEEDED'
                  WHEN outcome = 'failed' THEN 'FAILED'
                  WHEN unfinished AND attempt = last_attempt THEN 'RUNNING'
                  ELSE 'CUT_OFF' END AS outcome
        FROM (SELECT DISTINCT ON (s.name) s.*, d.attempt AS last_attempt,
                     d.status IN ('QUEUED', 'BUILDING', 'DEPLOYING') AS unfinished
                FROM deployment_step s JOIN deployment d ON d.id = s.deployment_id
               WHERE s.deployment_id = ?
               ORDER BY s.name, s.attempt DESC) latest
       ORDER BY started_at, name
      """;

  /** In the order in which they began. */
  List<Step> list(Handle tx, DeploymentId deployment) {
    return tx.createQuery(LIST).bind(0, deployment.value()).mapTo(Step.class).list();
  }

  void started(Handle tx, Deployment deployment, String name, Instant now) {
    tx.execute(STARTED, deployment.id().value(), deployment.attempt(), name, now);
  }

  void ended(Handle tx, Deployment deployment, String name, boolean succeeded, Instant now) {
    tx.execute(
        ENDED,
        now,
        succeeded ? "succeeded" : "failed",
        deployment.id().value(),
        deployment.attempt(),
        name);
  }
}
