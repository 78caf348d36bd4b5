package dev.slipway.domain;

import dev.slipway.core.AccountId;
import dev.slipway.core.DomainId;
import dev.slipway.core.ProjectId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows of custom domains. Every call runs in the caller's transaction. */
public final class DomainStore {
  private static final String INSERT =
      """
      INSERT INTO domain (id, project_id, name, status, problem, wrong_since, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (name) DO NOTHING
      """;

  private static final String SELECT =
      "SELECT d.*, p.account_id, p.label FROM domain d JOIN project p ON p.id = d.project_id ";

  private static final String BY_NAME = SELECT + "WHERE d.name = ?";

  private static final String BY_ID = SELECT + "WHERE d.id = ?";

  private static final String OF_PROJECT = SELECT + "WHERE d.id = ? AND d.project_id = ?";

  private static final String LIST =
      SELECT
          + """
          WHERE d.project_id = :project %s
          ORDER BY d.id COLLATE "C" DESC LIMIT :limit
          """;

  private static final String COUNT =
      """
      SELECT count(*) FROM domain d JOIN project p ON p.id = d.project_id WHERE p.account_id = ?
      """;

  // Only what nobody has changed since it was read.
  private static final String UPDATE =
      """
      UPDATE domain SET status = ?, problem = ?, wrong_since = ?
       WHERE id = ? AND status = ?
      """;

  private static final String SERVED = "SELECT id FROM domain WHERE status = 'ACTIVE'";

  private static final String DELETE = "DELETE FROM domain WHERE id = ? AND project_id = ?";

  private static final String DELETE_ALL = "DELETE FROM domain WHERE project_id = ?";

  /** False where a project has the name; then nothing is written. */
  boolean insert(Handle tx, Domain domain) {
    return tx.execute(
            INSERT,
            domain.id().value(),
            domain.holder().project().value(),
            domain.name().value(),
            domain.state().status().name(),
            domain.state().problem().orElse(null),
            domain.state().wrongSince().orElse(null),
            domain.createdAt())
        == 1;
  }

  /** Of all projects of the account. */
  int count(Handle tx, AccountId account) {
    return tx.createQuery(COUNT).bind(0, account.value()).mapTo(Integer.class).one();
  }

  Optional<Domain> byName(Handle tx, DomainName name) {
    return tx.createQuery(BY_NAME)
        .bind(0, name.value())
        .map((row, context) -> domain(row))
        .findOne();
  }

  public Optional<Domain> find(Handle tx, DomainId id) {
    return tx.createQuery(BY_ID).bind(0, id.value()).map((row, context) -> domain(row)).findOne();
  }

  Optional<Domain> find(Handle tx, ProjectId project, DomainId id) {
    return tx.createQuery(OF_PROJECT)
        .bind(0, id.value())
        .bind(1, project.value())
        .map((row, context) -> domain(row))
        .findOne();
  }

  List<DomainId> served(Handle tx) {
    return tx.createQuery(SERVED).mapTo(String.class).map(DomainId::new).list();
  }

  /** Newest first, those before {@code before}. */
  List<Domain> list(Handle tx, ProjectId project, Optional<DomainId> before, int limit) {
    var query =
        tx.createQuery(
            LIST.formatted(before.isPresent() ? "AND d.id COLLATE \"C\" < :before" : ""));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query
        .bind("project", project.value())
        .bind("limit", limit)
        .map((row, context) -> domain(row))
        .list();
  }

  /** False where the domain is gone, or another has changed its status meanwhile. */
  boolean update(Handle tx, Domain domain, DomainState next) {
    return tx.execute(
            UPDATE,
            next.status().name(),
            next.problem().orElse(null),
            next.wrongSince().orElse(null),
            domain.id().value(),
            domain.state().status().name())
        == 1;
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
        new Holder(
            new ProjectId(row.getString("project_id")),
            new AccountId(row.getString("account_id")),
            row.getString("label")),
        new DomainName(row.getString("name")),
        new DomainState(
            DomainState.Status.valueOf(row.getString("status")),
            Optional.ofNullable(row.getString("problem")),
            Optional.ofNullable(row.getTimestamp("wrong_since")).map(Timestamp::toInstant)),
        row.getTimestamp("created_at").toInstant());
  }
}
