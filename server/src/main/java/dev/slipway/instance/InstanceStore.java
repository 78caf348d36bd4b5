package dev.slipway.instance;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Rows of the instances on one worker's host. Every call runs in the caller's transaction. */
final class InstanceStore {
  private static final String INSERT =
      """
      INSERT INTO instance (id, deployment_id, worker, variables, port, state, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (worker, port) DO NOTHING
      """;

  private static final String PORTS = "SELECT port FROM instance WHERE worker = ?";

  private static final String ALL =
      "SELECT id, deployment_id, variables, port, state, created_at FROM instance WHERE worker = ? ORDER BY id";

  private static final String OF_DEPLOYMENT =
      """
      SELECT id, deployment_id, variables, port, state, created_at FROM instance
       WHERE worker = ? AND deployment_id = ? ORDER BY id
      """;

  private static final String OF_PROJECT =
      """
      SELECT i.id, i.deployment_id, i.variables, i.port, i.state, i.created_at
        FROM instance i JOIN deployment d ON d.id = i.deployment_id
       WHERE i.worker = ? AND d.project_id = ? ORDER BY i.id
      """;

  private static final String SERVING =
      """
      SELECT i.id, d.project_id
        FROM instance i JOIN deployment d ON d.id = i.deployment_id
       WHERE i.worker = ? AND i.state = 'HEALTHY'
      """;

  private static final String AWAKE_PREVIEWS =
      """
      SELECT i.id, i.deployment_id, i.variables, i.port, i.state, i.created_at
        FROM instance i
        JOIN deployment d ON d.id = i.deployment_id
        JOIN project p ON p.id = d.project_id
       WHERE i.worker = ? AND p.id = ? AND i.state = 'HEALTHY'
         AND d.status IN ('LIVE', 'ROLLED_BACK') AND p.live_deployment_id <> d.id
       ORDER BY i.id
      """;

  // The state in the WHERE clause is the guard: what is being stopped does not become healthy
  // again.
  private static final String MOVE = "UPDATE instance SET state = ? WHERE id = ? AND state = ?";

  private static final String STOPPING = "UPDATE instance SET state = 'STOPPING' WHERE id = ?";

  private static final String IS_HEALTHY =
      "SELECT EXISTS (SELECT FROM instance WHERE id = ? AND state = 'HEALTHY')";

  private static final String IS_WANTED =
      "SELECT EXISTS (SELECT FROM instance WHERE id = ? AND state <> 'STOPPING')";

  private static final String VARIABLES = "SELECT variables FROM instance WHERE id = ?";

  private static final String LOCK = "SELECT id FROM deployment WHERE id = ? FOR NO KEY UPDATE";

  private static final String DELETE = "DELETE FROM instance WHERE id = ?";

  private final String worker;

  InstanceStore(String worker) {
    this.worker = worker;
  }

  /** False where the port was leased by another one in the meantime. */
  boolean insert(Handle tx, Instance instance) {
    return tx.execute(
            INSERT,
            instance.id().value(),
            instance.deploymentId().value(),
            worker,
            instance.variables(),
            instance.port(),
            instance.state().name(),
            instance.createdAt())
        == 1;
  }

  Set<Integer> leasedPorts(Handle tx) {
    return Set.copyOf(tx.createQuery(PORTS).bind(0, worker).mapTo(Integer.class).list());
  }

  List<Instance> all(Handle tx) {
    return tx.createQuery(ALL).bind(0, worker).map((row, context) -> instance(row)).list();
  }

  List<Instance> ofDeployment(Handle tx, DeploymentId deployment) {
    return tx.createQuery(OF_DEPLOYMENT)
        .bind(0, worker)
        .bind(1, deployment.value())
        .map((row, context) -> instance(row))
        .list();
  }

  List<Instance> ofProject(Handle tx, ProjectId project) {
    return tx.createQuery(OF_PROJECT)
        .bind(0, worker)
        .bind(1, project.value())
        .map((row, context) -> instance(row))
        .list();
  }

  /** Whose each one is that takes requests. */
  Map<InstanceId, ProjectId> serving(Handle tx) {
    Map<InstanceId, ProjectId> owners = new HashMap<>();
    tx.createQuery(SERVING)
        .bind(0, worker)
        .map((row, _) ->
            Map.entry(
                new InstanceId(row.getString("id")), new ProjectId(row.getString("project_id"))))
        .forEach(it -> owners.put(it.getKey(), it.getValue()));
    return owners;
  }

  List<Instance> awakePreviews(Handle tx, ProjectId project) {
    return tx.createQuery(AWAKE_PREVIEWS)
        .bind(0, worker)
        .bind(1, project.value())
        .map((row, context) -> instance(row))
        .list();
  }

  Optional<String> variables(Handle tx, InstanceId id) {
    return tx.createQuery(VARIABLES).bind(0, id.value()).mapTo(String.class).findOne();
  }

  /** Until the transaction ends nobody else decides how many instances the deployment has. */
  void lock(Handle tx, DeploymentId deployment) {
    tx.createQuery(LOCK).bind(0, deployment.value()).mapTo(String.class).one();
  }

  boolean move(Handle tx, InstanceId id, InstanceState from, InstanceState to) {
    return tx.execute(MOVE, to.name(), id.value(), from.name()) == 1;
  }

  boolean isHealthy(Handle tx, InstanceId id) {
    return tx.createQuery(IS_HEALTHY).bind(0, id.value()).mapTo(Boolean.class).one();
  }

  /** False where somebody has begun to end it. */
  boolean isWanted(Handle tx, InstanceId id) {
    return tx.createQuery(IS_WANTED).bind(0, id.value()).mapTo(Boolean.class).one();
  }

  boolean stopping(Handle tx, InstanceId id) {
    return tx.execute(STOPPING, id.value()) == 1;
  }

  void delete(Handle tx, InstanceId id) {
    tx.execute(DELETE, id.value());
  }

  private static Instance instance(ResultSet row) throws SQLException {
    return new Instance(
        new InstanceId(row.getString("id")),
        new DeploymentId(row.getString("deployment_id")),
        row.getString("variables"),
        row.getInt("port"),
        InstanceState.valueOf(row.getString("state")),
        row.getTimestamp("created_at").toInstant());
  }
}
