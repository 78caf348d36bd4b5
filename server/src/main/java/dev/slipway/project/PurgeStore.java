package dev.slipway.project;

import dev.slipway.core.ProjectId;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Everything that a deleted project has left. Every call runs in the caller's transaction. */
public final class PurgeStore {
  private static final String DELETED =
      "SELECT count(*) FROM project WHERE id = ? AND deleted_at IS NOT NULL";

  private static final String INSTANCES =
      """
      SELECT count(*) FROM instance i JOIN deployment d ON d.id = i.deployment_id
       WHERE d.project_id = ?
      """;

  private static final String PREVIEWS = "SELECT count(*) FROM project WHERE preview_of = ?";

  // What refers to a row goes before it.
  private static final List<String> PURGE =
      List.of(
          """
          DELETE FROM run_log_entry WHERE log_id IN (
            SELECT log_id FROM deployment WHERE project_id = :project
             UNION SELECT log_id FROM migration WHERE project_id = :project)
          """,
          """
          DELETE FROM run_log WHERE id IN (
            SELECT log_id FROM deployment WHERE project_id = :project
             UNION SELECT log_id FROM migration WHERE project_id = :project)
          """,
          "DELETE FROM migration WHERE project_id = :project",
          """
          DELETE FROM deployment_step WHERE deployment_id IN (
            SELECT id FROM deployment WHERE project_id = :project)
          """,
          """
          DELETE FROM crashing WHERE deployment_id IN (
            SELECT id FROM deployment WHERE project_id = :project)
          """,
          "DELETE FROM hook_delivery WHERE project_id = :project",
          "DELETE FROM deployment WHERE project_id = :project",
          "DELETE FROM event_sequence WHERE project_id = :project",
          "DELETE FROM traffic WHERE project_id = :project",
          "DELETE FROM instance_use WHERE project_id = :project",
          "DELETE FROM release WHERE project_id = :project",
          "DELETE FROM preview WHERE project_id = :project",
          "DELETE FROM project WHERE id = :project");

  /** Whether it is there and deleted. */
  boolean isDeleted(Handle tx, ProjectId project) {
    return count(tx, DELETED, project) > 0;
  }

  /** Whether something of it is still running, on whatever host. */
  boolean hasInstances(Handle tx, ProjectId project) {
    return count(tx, INSTANCES, project) > 0;
  }

  /** Whether a row behind one of its previews is there still. */
  boolean hasPreviews(Handle tx, ProjectId project) {
    return count(tx, PREVIEWS, project) > 0;
  }

  /** Deletes the project with its migrations, deployments, releases' records and logs. */
  void purge(Handle tx, ProjectId project) {
    for (String statement : PURGE) {
      tx.createUpdate(statement).bind("project", project.value()).execute();
    }
  }

  private static int count(Handle tx, String query, ProjectId project) {
    return tx.createQuery(query).bind(0, project.value()).mapTo(Integer.class).one();
  }
}
