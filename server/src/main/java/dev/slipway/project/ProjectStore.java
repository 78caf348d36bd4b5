package dev.slipway.project;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.source.RepoName;
import dev.slipway.vault.Vault;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows of projects. Every call runs in the caller's transaction. */
public final class ProjectStore {
  private static final String INSERT =
      """
      INSERT INTO project (id, account_id, name, label, source, repo, branch, framework, region,
                           instance_type, env, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (label) DO NOTHING
      """;

  private static final String BY_ID = "SELECT * FROM project WHERE id = ?";

  private static final String NAME_TAKEN =
      "SELECT EXISTS (SELECT FROM project WHERE account_id = ? AND name = ?)";

  private static final String SET_LIVE =
      "UPDATE project SET live_deployment_id = ?, updated_at = ? WHERE id = ?";

  private final Vault vault;

  public ProjectStore(Vault vault) {
    this.vault = vault;
  }

  /** False where another project has the label; then nothing is written. */
  public boolean insert(Handle tx, Project project) {
    return tx.execute(
            INSERT,
            project.id().value(),
            project.accountId().value(),
            project.name(),
            project.label(),
            project.source(),
            project.repo().value(),
            project.branch(),
            project.framework().orElse(null),
            project.region(),
            project.instanceType(),
            vault.sealEnv(project.env(), project.id().value()),
            project.createdAt(),
            project.updatedAt())
        == 1;
  }

  public Optional<Project> find(Handle tx, ProjectId id) {
    return tx.createQuery(BY_ID).bind(0, id.value()).map((row, context) -> project(row)).findOne();
  }

  /** The project, its row locked until the transaction ends: what goes live is decided under it. */
  public Project lock(Handle tx, ProjectId id) {
    return tx.createQuery(BY_ID + " FOR NO KEY UPDATE")
        .bind(0, id.value())
        .map((row, context) -> project(row))
        .one();
  }

  public boolean nameTaken(Handle tx, AccountId account, String name) {
    return tx.createQuery(NAME_TAKEN)
        .bind(0, account.value())
        .bind(1, name)
        .mapTo(Boolean.class)
        .one();
  }

  public void setLive(Handle tx, ProjectId id, DeploymentId deployment, Instant now) {
    tx.execute(SET_LIVE, deployment.value(), now, id.value());
  }

  private Project project(ResultSet row) throws SQLException {
    String id = row.getString("id");
    return new Project(
        new ProjectId(id),
        new AccountId(row.getString("account_id")),
        row.getString("name"),
        row.getString("label"),
        row.getString("source"),
        new RepoName(row.getString("repo")),
        row.getString("branch"),
        Optional.ofNullable(row.getString("framework")),
        row.getString("region"),
        row.getString("instance_type"),
        vault.openEnv(row.getBytes("env"), id),
        Optional.ofNullable(row.getString("live_deployment_id")).map(DeploymentId::new),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant());
  }
}
