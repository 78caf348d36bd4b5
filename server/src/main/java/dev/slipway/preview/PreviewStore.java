package dev.slipway.preview;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.source.RepoName;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/** Rows of previews. Every call runs in the caller's transaction. */
public final class PreviewStore {
  private static final String INSERT =
      """
      INSERT INTO preview (id, project_id, own_project_id, number, title, author, repo, branch,
                           commit_sha, base_branch, fork, web_url, created_at, updated_at)
      VALUES (:id, :project, :own, :number, :title, :author, :repo, :branch,
              :commitSha, :baseBranch, :fork, :webUrl, :now, :now)
      """;

  private static final String SET_HEAD =
      """
      UPDATE preview
         SET title = :title, author = :author, repo = :repo, branch = :branch, commit_sha = :commitSha,
             base_branch = :baseBranch, fork = :fork, web_url = :webUrl, updated_at = :now
       WHERE id = :id
      """;

  private static final String TOUCH = "UPDATE preview SET updated_at = ? WHERE id = ?";

  private static final String REMOVE =
      """
      UPDATE preview SET removed_at = ?, updated_at = ? WHERE id = ? AND removed_at IS NULL
      """;

  private static final String COMMENTED = "UPDATE preview SET comment_id = ? WHERE id = ?";

  // Its state is that of its newest deployment, which the row behind it has.
  private static final String SELECT =
      """
      SELECT v.*, CASE WHEN p.live_deployment_id IS NOT NULL THEN p.label END AS serving_label,
             d.id AS deployment_id, d.log_id, d.status, d.commit_message, d.framework,
             d.error_code, d.error_message
        FROM preview v
        LEFT JOIN project p ON p.id = v.own_project_id
        LEFT JOIN LATERAL (SELECT * FROM deployment
                            WHERE project_id = v.own_project_id
                            ORDER BY id COLLATE "C" DESC LIMIT 1) d ON true
      """;

  private static final String BY_ID = SELECT + "WHERE v.id = ?";

  private static final String OPEN_BY_NUMBER =
      SELECT + "WHERE v.project_id = ? AND v.number = ? AND v.removed_at IS NULL";

  private static final String OPEN =
      SELECT
          + """
          WHERE v.project_id = ? AND v.removed_at IS NULL ORDER BY v.id COLLATE "C"
          """;

  private static final String LIST =
      SELECT
          + """
           WHERE v.project_id = :project %s
           ORDER BY v.id COLLATE "C" DESC LIMIT :limit
          """;

  private static final String REMOVED = " AND v.removed_at IS NOT NULL";

  // Few are open: each of them is looked at.
  private static final String IN_STATUS = " AND v.removed_at IS NULL AND d.status = ANY(:statuses)";

  private static final String BEHIND = "SELECT id FROM preview WHERE own_project_id = ?";

  private static final String FORGET =
      "DELETE FROM preview WHERE id = ? AND own_project_id IS NULL";

  void insert(Handle tx, PreviewId id, ProjectId project, ProjectId own, Head head, Instant now) {
    bind(tx.createUpdate(INSERT), head)
        .bind("id", id.value())
        .bind("project", project.value())
        .bind("own", own.value())
        .bind("number", head.number())
        .bind("now", now)
        .execute();
  }

  void setHead(Handle tx, PreviewId id, Head head, Instant now) {
    bind(tx.createUpdate(SET_HEAD), head).bind("id", id.value()).bind("now", now).execute();
  }

  private static Update bind(Update update, Head head) {
    return update
        .bind("title", head.title())
        .bind("author", head.author())
        .bind("repo", head.repo().value())
        .bind("branch", head.branch())
        .bind("commitSha", head.commitSha())
        .bind("baseBranch", head.baseBranch())
        .bind("fork", head.fork())
        .bind("webUrl", head.webUrl().toString());
  }

  void touch(Handle tx, PreviewId id, Instant now) {
    tx.execute(TOUCH, now, id.value());
  }

  /** False where it was removed before. */
  boolean remove(Handle tx, PreviewId id, Instant now) {
    return tx.execute(REMOVE, now, now, id.value()) == 1;
  }

  void commented(Handle tx, PreviewId id, String commentId) {
    tx.execute(COMMENTED, commentId, id.value());
  }

  /** A preview, removed ones included. */
  Optional<Preview> find(Handle tx, PreviewId id) {
    return tx.createQuery(BY_ID).bind(0, id.value()).map((row, _) -> preview(row)).findOne();
  }

  /** That of a pull request, unless it is removed. */
  Optional<Preview> open(Handle tx, ProjectId project, int number) {
    return tx.createQuery(OPEN_BY_NUMBER)
        .bind(0, project.value())
        .bind(1, number)
        .map((row, _) -> preview(row))
        .findOne();
  }

  /** All of a project that are not removed, the oldest first. */
  List<Preview> open(Handle tx, ProjectId project) {
    return tx.createQuery(OPEN).bind(0, project.value()).map((row, _) -> preview(row)).list();
  }

  /** Newest first, those before {@code before}. */
  List<Preview> list(
      Handle tx,
      ProjectId project,
      Optional<PreviewStatus> status,
      Optional<PreviewId> before,
      int limit) {
    boolean removed = status.equals(Optional.of(PreviewStatus.REMOVED));
    String conditions =
        status.map(_ -> removed ? REMOVED : IN_STATUS).orElse("")
            + (before.isPresent() ? " AND v.id COLLATE \"C\" < :before" : "");
    var query = tx.createQuery(LIST.formatted(conditions));
    before.ifPresent(id -> query.bind("before", id.value()));
    if (status.isPresent() && !removed) {
      query.bindArray("statuses", String.class, statuses(status.get()));
    }
    return query
        .bind("project", project.value())
        .bind("limit", limit)
        .map((row, _) -> preview(row))
        .list();
  }

  /** Of which its newest deployment may have each. */
  private static List<String> statuses(PreviewStatus status) {
    return List.of(DeploymentStatus.values()).stream()
        .filter(it -> PreviewStatus.of(it) == status)
        .map(DeploymentStatus::name)
        .toList();
  }

  /** Which preview the row is behind. */
  Optional<PreviewId> behind(Handle tx, ProjectId own) {
    return tx.createQuery(BEHIND)
        .bind(0, own.value())
        .map((row, _) -> new PreviewId(row.getString("id")))
        .findOne();
  }

  /** False where the row behind it is still there; then it stays. */
  boolean forget(Handle tx, PreviewId id) {
    return tx.execute(FORGET, id.value()) == 1;
  }

  private static Preview preview(ResultSet row) throws SQLException {
    return new Preview(
        new PreviewId(row.getString("id")),
        new ProjectId(row.getString("project_id")),
        text(row, "own_project_id").map(ProjectId::new),
        new Head(
            row.getInt("number"),
            row.getString("title"),
            row.getString("author"),
            new RepoName(row.getString("repo")),
            row.getString("branch"),
            row.getString("commit_sha"),
            row.getString("base_branch"),
            row.getBoolean("fork"),
            URI.create(row.getString("web_url"))),
        text(row, "serving_label"),
        build(row),
        text(row, "comment_id"),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant(),
        Optional.ofNullable(row.getTimestamp("removed_at")).map(Timestamp::toInstant));
  }

  private static Optional<Preview.Build> build(ResultSet row) throws SQLException {
    Optional<String> id = text(row, "deployment_id");
    if (id.isEmpty()) {
      return Optional.empty();
    }
    String message = text(row, "error_message").orElse("");
    return Optional.of(
        new Preview.Build(
            new DeploymentId(id.get()),
            row.getString("log_id"),
            DeploymentStatus.valueOf(row.getString("status")),
            text(row, "commit_message"),
            text(row, "framework"),
            text(row, "error_code").map(code -> new Failure(FailureCode.valueOf(code), message))));
  }

  private static Optional<String> text(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }
}
