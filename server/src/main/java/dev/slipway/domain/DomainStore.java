package dev.slipway.domain;

import dev.slipway.core.DomainId;
import dev.slipway.core.ProjectId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows of custom domains. Every call runs in the caller's transaction. */
public final class DomainStore {
  private static final String INSERT =
      """
      INSERT INTO domain (id, project_id, name, status, token, created_at)
      VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (name) DO NOTHING
      """;

  private static final String BY_NAME = "SELECT * FROM domain WHERE name = ?";

  private static final String OF_PROJECT = "SELECT * FROM domain WHERE id = ? AND project_id = ?";

  private static final String LIST =
      """
      SELECT * FROM domain WHERE project_id = :project %s
       ORDER BY id COLLATE "C" DESC LIMIT :limit
      """;

  private static final String DELETE = "DELETE FROM domain WHERE id = ? AND project_id = ?";

  private static final String DELETE_ALL = "DELETE FROM domain WHERE project_id = ?";

  /** False where a project has the name; then nothing is written. */
  boolean insert(Handle tx, Domain domain) {
    return tx.execute(
            INSERT,
            domain.id().value(),
            domain.projectId().value(),
            domain.name().value(),
            domain.status().name(),
            domain.token(),
            domain.createdAt())
        == 1;
  }

  Optional<Domain> byName(Handle tx, DomainName name) {
    return tx.createQuery(BY_NAME)
        .bind(0, name.value())
        .map((row, context) -> domain(row))
        .findOne();
  }

  Optional<Domain> find(Handle tx, ProjectId project, DomainId id) {
    return tx.createQuery(OF_PROJECT)
        .bind(0, id.value())
        .bind(1, project.value())
        .map((row, context) -> domain(row))
        .findOne();
  }

  /** Newest first, those before {@code before}. */
  List<Domain> list(Handle tx, ProjectId project, Optional<DomainId> before, int limit) {
    var query =
        tx.createQuery(LIST.formatted(before.isPresent() ? "AND id COLLATE \"C\" < :before" : ""));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query
        .bind("project", project.value())
        .bind("limit", limit)
        .map((row, context) -> domain(row))
        .list();
  }

  /** False where the project has no such domain. */
  boolean delete(Handle tx, ProjectId project, DomainId id) {
    return tx.execute(DELETE, id.value(), project.value()) == 1;
  }

  void deleteAll(Handle tx, ProjectId project) {
    tx.execute(DELETE_ALL, project.value());
  }

  private static Domain domain(ResultSet row) throws SQLException {
    return new Domain(
        new DomainId(row.getString("id")),
        new ProjectId(row.getString("project_id")),
        new DomainName(row.getString("name")),
        Domain.Status.valueOf(row.getString("status")),
        row.getString("token"),
        row.getTimestamp("created_at").toInstant());
  }
}
