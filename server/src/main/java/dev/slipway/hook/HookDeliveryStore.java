package dev.slipway.hook;

import dev.slipway.core.DeliveryId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Rows of messages of git hosts. Every call runs in the caller's transaction. */
final class HookDeliveryStore {
  private static final String INSERT =
      """
      INSERT INTO hook_delivery (id, project_id, host_id, body_digest, event, outcome, reason, deployment_id,
                                 preview_id, branch, before_sha, after_sha, same_as, received_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  // Known by either: a name can be made up, and what is sent again by the host keeps it.
  private static final String KNOWN =
      """
      SELECT * FROM hook_delivery
       WHERE project_id = :project AND (host_id = :host_id OR body_digest = :digest)
       ORDER BY host_id = :host_id DESC NULLS LAST LIMIT 1
      """;

  private static final String LIST =
      """
      SELECT * FROM hook_delivery
       WHERE project_id = :project %s
       ORDER BY id COLLATE "C" DESC LIMIT :limit
      """;

  static final String HEAD =
      """
      SELECT after_sha FROM hook_delivery
       WHERE project_id = ? AND branch = ?
       ORDER BY id COLLATE "C" DESC LIMIT 1
      """;

  static final String WAS_LEFT =
      """
      SELECT EXISTS (SELECT FROM hook_delivery
                      WHERE project_id = ? AND branch = ? AND before_sha = ? AND received_at >= ?)
      """;

  private static final String SAME_AS =
      """
      SELECT same_as FROM hook_delivery
       WHERE project_id = ? AND after_sha = ? AND same_as IS NOT NULL
       ORDER BY id COLLATE "C" DESC LIMIT 1
      """;

  private static final String FORGET = "DELETE FROM hook_delivery WHERE received_at < ?";

  /** Of any hash that git knows; what is longer has no place in an index either. */
  private static final int MAX_SHA = 64;

  /**
   * @param moved the push, where it moved the project's branch
   * @param sameAs the commit that is deployed, where what was pushed is no different
   */
  void insert(
      Handle tx,
      HookDelivery delivery,
      byte[] digest,
      Optional<Push> moved,
      Optional<String> sameAs) {
    tx.execute(
        INSERT,
        delivery.id().value(),
        delivery.projectId().value(),
        delivery.hostId().orElse(null),
        digest,
        delivery.event(),
        delivery.outcome().name(),
        delivery.reason(),
        delivery.deploymentId().map(DeploymentId::value).orElse(null),
        delivery.previewId().map(PreviewId::value).orElse(null),
        moved.flatMap(Push::branch).orElse(null),
        moved.map(Push::before).filter(HookDeliveryStore::isSha).orElse(null),
        moved.map(Push::after).filter(HookDeliveryStore::isSha).orElse(null),
        sameAs.orElse(null),
        delivery.receivedAt());
  }

  private static boolean isSha(String text) {
    return text.length() <= MAX_SHA;
  }

  /** The same message, where it was taken before. */
  Optional<HookDelivery> known(
      Handle tx, ProjectId project, Optional<String> hostId, byte[] digest) {
    return tx.createQuery(KNOWN)
        .bind("project", project.value())
        .bind("host_id", hostId.orElse(null))
        .bind("digest", digest)
        .map((row, _) -> delivery(row))
        .findOne();
  }

  /** Newest first, those before {@code before}. */
  List<HookDelivery> list(Handle tx, ProjectId project, Optional<DeliveryId> before, int limit) {
    var query =
        tx.createQuery(LIST.formatted(before.isPresent() ? "AND id COLLATE \"C\" < :before" : ""));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query
        .bind("project", project.value())
        .bind("limit", limit)
        .map((row, _) -> delivery(row))
        .list();
  }

  /** The commit that the branch named when it last moved, as far as we were told. */
  Optional<String> head(Handle tx, ProjectId project, String branch) {
    return tx.createQuery(HEAD)
        .bind(0, project.value())
        .bind(1, branch)
        .mapTo(String.class)
        .findOne();
  }

  /** Whether the branch has moved on from that commit since then, as far as we were told. */
  boolean wasLeft(Handle tx, ProjectId project, String branch, String sha, Instant since) {
    return tx.createQuery(WAS_LEFT)
        .bind(0, project.value())
        .bind(1, branch)
        .bind(2, sha)
        .bind(3, since)
        .mapTo(Boolean.class)
        .one();
  }

  /** The commit that was deployed when this one was pushed and was no different. */
  Optional<String> sameAs(Handle tx, ProjectId project, String sha) {
    return tx.createQuery(SAME_AS)
        .bind(0, project.value())
        .bind(1, sha)
        .mapTo(String.class)
        .findOne();
  }

  void forget(Handle tx, Instant before) {
    tx.execute(FORGET, before);
  }

  private static HookDelivery delivery(ResultSet row) throws SQLException {
    return new HookDelivery(
        new DeliveryId(row.getString("id")),
        new ProjectId(row.getString("project_id")),
        Optional.ofNullable(row.getString("host_id")),
        row.getString("event"),
        Outcome.valueOf(row.getString("outcome")),
        row.getString("reason"),
        Optional.ofNullable(row.getString("deployment_id")).map(DeploymentId::new),
        Optional.ofNullable(row.getString("preview_id")).map(PreviewId::new),
        row.getTimestamp("received_at").toInstant());
  }
}
