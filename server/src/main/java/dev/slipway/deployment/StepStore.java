package dev.slipway.deployment;

import java.time.Instant;
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
