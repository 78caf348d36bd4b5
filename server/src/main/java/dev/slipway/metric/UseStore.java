package dev.slipway.metric;

import dev.slipway.core.ProjectId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** What instances took, by project and stretch of time, as each worker saw it. */
public final class UseStore {
  // One that starts again in the middle of an hour adds to what it wrote before.
  private static final String WRITE =
      """
      INSERT INTO instance_use (project_id, seconds, at, worker, instances, cpu_nanos, memory_bytes)
      VALUES (:project, :seconds, :at, :worker, :instances, :cpu, :memory)
          ON CONFLICT (project_id, seconds, at, worker) DO UPDATE
         SET instances = greatest(instance_use.instances, excluded.instances),
             cpu_nanos = instance_use.cpu_nanos + excluded.cpu_nanos,
             memory_bytes = greatest(instance_use.memory_bytes, excluded.memory_bytes)
      """;

  private static final String READ =
      """
      SELECT at, sum(instances) AS instances, sum(cpu_nanos) AS cpu, sum(memory_bytes) AS memory
        FROM instance_use
       WHERE project_id = :project AND seconds = :seconds AND at >= :from AND at < :to
       GROUP BY at
       ORDER BY at
      """;

  private static final String FORGET = "DELETE FROM instance_use WHERE seconds = ? AND at < ?";

  /** Adds to what is there; in the caller's transaction. */
  void add(Handle tx, String worker, Collection<UseWindow> windows) {
    if (windows.isEmpty()) {
      return;
    }
    PreparedBatch batch = tx.prepareBatch(WRITE);
    for (UseWindow window : windows) {
      batch
          .bind("project", window.place().project().value())
          .bind("seconds", window.place().step().seconds())
          .bind("at", window.place().at())
          .bind("worker", worker)
          .bind("instances", window.instances())
          .bind("cpu", window.cpuNanos())
          .bind("memory", window.memoryBytes())
          .add();
    }
    batch.execute();
  }

  /** Those that begin in a stretch of time, in order; of all workers together. */
  List<UseWindow> read(
      Handle handle, ProjectId project, Window.Step step, Instant from, Instant to) {
    return handle
        .createQuery(READ)
        .bind("project", project.value())
        .bind("seconds", step.seconds())
        .bind("from", from)
        .bind("to", to)
        .map((row, _) ->
            new UseWindow(
                new Window.Place(project, step, row.getTimestamp("at").toInstant()),
                row.getLong("instances"),
                row.getLong("cpu"),
                row.getLong("memory")))
        .list();
  }

  /** Deletes what is older than it is kept; in the caller's transaction. */
  void forget(Handle tx, Instant now) {
    for (Window.Step step : Window.Step.values()) {
      tx.execute(FORGET, step.seconds(), now.minus(step.kept()).minus(Window.Step.HOUR.length()));
    }
  }
}
