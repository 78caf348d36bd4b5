package dev.slipway.deployment;

import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Which deployments use a database, and with what. Every call runs in the caller's transaction. */
final class DatabaseUseStore {
  // A rollback needs no build.
  private static final String WAITING =
      """
      SELECT * FROM deployment
       WHERE database_id = ? AND status = 'QUEUED' AND trigger <> 'ROLLBACK'
       ORDER BY id COLLATE "C"
      """;

  private static final String PROJECTS =
      """
      SELECT DISTINCT p.id
        FROM deployment d
        JOIN project p ON p.id = d.project_id AND p.deleted_at IS NULL
       WHERE d.database_id = ?
         AND (d.status = 'DEPLOYING' OR p.live_deployment_id = d.id
              OR EXISTS (SELECT FROM instance i WHERE i.deployment_id = d.id))
      """;

  private static final String OUTDATED =
      """
      SELECT DISTINCT d.id
        FROM instance i
        JOIN deployment d ON d.id = i.deployment_id
       WHERE d.database_id = ? AND d.project_id = ? AND i.state = 'HEALTHY' AND i.variables <> ?
      """;

  // A build that has only just begun may have read what was before and not have said so yet.
  private static final String IN_USE =
      """
      SELECT EXISTS (SELECT FROM instance i
                       JOIN deployment d ON d.id = i.deployment_id
                      WHERE d.database_id = :database AND i.variables <> :version)
          OR EXISTS (SELECT FROM deployment d
                      WHERE d.database_id = :database AND d.status = 'BUILDING'
                        AND d.built_with IS DISTINCT FROM :version)
      """;

  private static final String SERVING_OUTDATED =
      """
      SELECT DISTINCT p.id
        FROM project p
        JOIN deployment d ON d.id = p.live_deployment_id AND d.database_id = ?
        JOIN instance i ON i.deployment_id = d.id AND i.state = 'HEALTHY' AND i.variables <> ?
      """;

  /** Deployments that are to be built when it is ready. */
  List<Deployment> waiting(Handle tx, DatabaseId id) {
    return tx.createQuery(WAITING)
        .bind(0, id.value())
        .map((row, _) -> DeploymentStore.deployment(row))
        .list();
  }

  /** The same, their rows locked until the transaction ends. */
  List<Deployment> lockWaiting(Handle tx, DatabaseId id) {
    return tx.createQuery(WAITING + " FOR NO KEY UPDATE")
        .bind(0, id.value())
        .map((row, _) -> DeploymentStore.deployment(row))
        .list();
  }

  /** Projects of which something that runs, or is about to, uses it. */
  List<ProjectId> projects(Handle tx, DatabaseId id) {
    return tx.createQuery(PROJECTS).bind(0, id.value()).mapTo(ProjectId.class).list();
  }

  /** Deployments of a project that take requests with other variables than those of now. */
  List<DeploymentId> outdated(Handle tx, DatabaseId id, ProjectId project, String version) {
    return tx.createQuery(OUTDATED)
        .bind(0, id.value())
        .bind(1, project.value())
        .bind(2, version)
        .mapTo(DeploymentId.class)
        .list();
  }

  /** Whether anything may still run, or be built, with other variables than those of now. */
  boolean earlierInUse(Handle tx, DatabaseId id, String version) {
    return tx.createQuery(IN_USE)
        .bind("database", id.value())
        .bind("version", version)
        .mapTo(Boolean.class)
        .one();
  }

  /** Projects that are served with other variables than those of now. */
  List<ProjectId> servedOutdated(Handle tx, DatabaseId id, String version) {
    return tx.createQuery(SERVING_OUTDATED)
        .bind(0, id.value())
        .bind(1, version)
        .mapTo(ProjectId.class)
        .list();
  }
}
