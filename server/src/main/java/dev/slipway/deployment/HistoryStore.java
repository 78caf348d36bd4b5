package dev.slipway.deployment;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Rows of many deployments at once, with what their releases are. Reads alone. */
final class HistoryStore {
  private static final String WITH_RELEASE =
      """
      SELECT d.*, r.id IS NOT NULL AS kept, coalesce(r.serving::json->>'kind' = 'site', false) AS site,
             p.name AS project_name, p.deleted_at IS NOT NULL AS project_deleted
        FROM %s d
        JOIN project p ON p.id = d.project_id
        LEFT JOIN release r ON r.id = d.release_id AND r.pruned_at IS NULL
      """;

  private static final String OF_IDS =
      WITH_RELEASE.formatted("deployment")
          + "WHERE d.account_id = :account AND d.id = ANY(:ids) AND d.trigger <> 'PULL_REQUEST'";

  // One look into the index for each project, however many deployments it has.
  private static final String LATEST =
      WITH_RELEASE.formatted(
          """
          (SELECT newest.* FROM unnest(:ids::text[]) AS wanted (project)
            CROSS JOIN LATERAL (SELECT * FROM deployment
                                 WHERE project_id = wanted.project AND account_id = :account
                                   AND trigger <> 'PULL_REQUEST'
                                 ORDER BY id COLLATE "C" DESC LIMIT 1) newest)
          """);

  List<DeploymentHistory.Entry> ofIds(Handle tx, AccountId account, Collection<DeploymentId> ids) {
    return read(tx, OF_IDS, account, ids.stream().map(DeploymentId::value).toList());
  }

  List<DeploymentHistory.Entry> latest(
      Handle tx, AccountId account, Collection<ProjectId> projects) {
    return read(tx, LATEST, account, projects.stream().map(ProjectId::value).toList());
  }

  private static List<DeploymentHistory.Entry> read(
      Handle tx, String sql, AccountId account, List<String> ids) {
    return tx.createQuery(sql)
        .bind("account", account.value())
        .bindArray("ids", String.class, ids)
        .map((row, _) -> entry(row))
        .list();
  }

  private static DeploymentHistory.Entry entry(ResultSet row) throws SQLException {
    return new DeploymentHistory.Entry(
        DeploymentStore.deployment(row),
        row.getString("project_name"),
        row.getBoolean("project_deleted"),
        row.getBoolean("kept"),
        row.getBoolean("site"));
  }
}
