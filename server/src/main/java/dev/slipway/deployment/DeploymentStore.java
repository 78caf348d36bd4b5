package dev.slipway.deployment;

import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.UploadId;
import dev.slipway.source.Commit;
import dev.slipway.vault.Vault;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Rows of deployments. Every call runs in the caller's transaction. Writes of a job carry its
 * attempt: where the lease has passed to another worker, or the deployment has ended, they change
 * nothing and answer false, or nothing.
 */
public final class DeploymentStore {
  private static final String INSERT =
      """
      INSERT INTO deployment (id, account_id, project_id, log_id, trigger, status, branch,
                              requested_sha, upload_id, commit_sha, commit_message, rebuild, framework, region,
                              instance_type, preview_label, env, database_id, release_id, source_deployment_id,
                              rollback_to, created_at)
      VALUES (?, ?, ?, ?, ?, 'QUEUED', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String BY_ID = "SELECT * FROM deployment WHERE id = ?";

  private static final String ENV = "SELECT env FROM deployment WHERE id = ?";

  // Only the conditions that a request names, and of a project's own deployments its id alone: each
  // combination is the scan of one index that reads no row in vain.
  private static final String LIST =
      """
      SELECT * FROM deployment
       WHERE %s
       ORDER BY id COLLATE "C" DESC LIMIT :limit
      """;

  // Of a project that somebody may ask for there are no others.
  private static final String NOT_HIDDEN = " AND trigger <> 'PULL_REQUEST'";

  private static final String BEGIN =
      """
      UPDATE deployment
         SET attempt = attempt + 1, status = :status, building_at = coalesce(building_at, :building)
       WHERE id = :id AND status IN (:from, :status)
      RETURNING *
      """;

  private static final String RESOLVED =
      """
      UPDATE deployment SET commit_sha = ?, commit_message = ?
       WHERE id = ? AND attempt = ? AND status = 'BUILDING'
      """;

  private static final String DETECTED =
      "UPDATE deployment SET framework = ? WHERE id = ? AND attempt = ? AND status = 'BUILDING'";

  private static final String BUILT_WITH =
      "UPDATE deployment SET built_with = ? WHERE id = ? AND attempt = ? AND status = 'BUILDING'";

  private static final String BUILT =
      """
      UPDATE deployment SET status = 'DEPLOYING', release_id = ?, built_at = ?
       WHERE id = ? AND attempt = ? AND status = 'BUILDING'
      RETURNING *
      """;

  private static final String LIVE =
      """
      UPDATE deployment SET status = 'LIVE', live_at = ?
       WHERE id = ? AND attempt = ? AND status = 'DEPLOYING'
      RETURNING *
      """;

  private static final String ROLLED_BACK =
      """
      UPDATE deployment SET status = 'ROLLED_BACK', ended_at = ? WHERE id = ? AND status = 'LIVE'
      RETURNING *
      """;

  private static final String FAIL =
      """
      UPDATE deployment SET status = 'FAILED', ended_at = ?, error_code = ?, error_message = ?
       WHERE id = ? AND attempt = ? AND status IN ('QUEUED', 'BUILDING', 'DEPLOYING')
      RETURNING *
      """;

  private static final String OLDER_UNFINISHED =
      """
      SELECT * FROM deployment
       WHERE project_id = ? AND id COLLATE "C" < ? AND status IN ('QUEUED', 'BUILDING', 'DEPLOYING')
       ORDER BY id COLLATE "C"
         FOR NO KEY UPDATE
      """;

  private static final String UNFINISHED =
      """
      SELECT * FROM deployment
       WHERE project_id = ? AND status IN ('QUEUED', 'BUILDING', 'DEPLOYING')
       ORDER BY id COLLATE "C"
         FOR NO KEY UPDATE
      """;

  private static final String WAITING_PUSHES =
      """
      SELECT * FROM deployment
       WHERE project_id = ? AND id COLLATE "C" < ? AND status = 'QUEUED' AND trigger = 'PUSH' AND branch = ?
       ORDER BY id COLLATE "C"
         FOR NO KEY UPDATE
      """;

  private static final String LATEST_PUSH =
      """
      SELECT NOT EXISTS (SELECT FROM deployment
                          WHERE project_id = ? AND id COLLATE "C" > ? AND trigger = 'PUSH' AND requested_sha = ?)
      """;

  private static final String NEWEST_UNFINISHED =
      """
      SELECT * FROM deployment
       WHERE project_id = ? AND status IN ('QUEUED', 'BUILDING', 'DEPLOYING')
       ORDER BY id COLLATE "C" DESC LIMIT 1
      """;

  private static final String AWAKE_PREVIEWS =
      """
      SELECT DISTINCT d.id
        FROM instance i
        JOIN deployment d ON d.id = i.deployment_id
        JOIN project p ON p.id = d.project_id
       WHERE p.id = ? AND d.status IN ('LIVE', 'ROLLED_BACK') AND p.live_deployment_id <> d.id
      """;

  private static final String NEWER_LIVE =
      """
      SELECT EXISTS (
        SELECT FROM deployment WHERE project_id = ? AND id COLLATE "C" > ? AND status = 'LIVE')
      """;

  private static final String OLDER_ROLLBACK_UNFINISHED =
      """
      SELECT EXISTS (
        SELECT FROM deployment mine
          JOIN deployment older ON older.project_id = mine.project_id AND older.id COLLATE "C" < mine.id
         WHERE mine.id = ? AND older.trigger = 'ROLLBACK'
           AND older.status IN ('QUEUED', 'BUILDING', 'DEPLOYING'))
      """;

  private static final String IN_STATUS = "SELECT id FROM deployment WHERE status = ANY (?)";

  private static final String OF_RELEASE = "SELECT id FROM deployment WHERE release_id = ?";

  // A sleeping project's next request starts it; a site has no program.
  private static final String WANTED =
      """
      SELECT d.id, p.instances
        FROM project p
        JOIN deployment d ON d.id = p.live_deployment_id
        JOIN release r ON r.id = d.release_id AND r.serving::json->>'kind' <> 'site'
       WHERE p.asleep_deployment_id IS DISTINCT FROM p.live_deployment_id
       ORDER BY d.live_at DESC
      """;

  private static final String IS_SERVING =
      "SELECT EXISTS (SELECT FROM project WHERE live_deployment_id = ?)";

  private final Vault vault;

  public DeploymentStore(Vault vault) {
    this.vault = vault;
  }

  /** Which deployments of an account. */
  public record Filter(
      AccountId account, Optional<ProjectId> project, Optional<DeploymentStatus> status) {}

  void insert(Handle tx, Deployment deployment, EnvVars env) {
    Optional<Commit> commit = deployment.code().commit();
    tx.execute(
        INSERT,
        deployment.id().value(),
        deployment.accountId().value(),
        deployment.projectId().value(),
        deployment.logId(),
        deployment.origin().trigger().name(),
        deployment.code().branch().orElse(null),
        deployment.code().requestedSha().orElse(null),
        deployment.code().upload().map(UploadId::value).orElse(null),
        commit.map(Commit::sha).orElse(null),
        commit.map(Commit::message).orElse(null),
        deployment.code().rebuild(),
        deployment.framework().orElse(null),
        deployment.region(),
        deployment.instanceType(),
        deployment.previewLabel(),
        vault.sealEnv(env, deployment.id().value()),
        deployment.database().map(DatabaseId::value).orElse(null),
        deployment.releaseId().map(ReleaseId::value).orElse(null),
        deployment.origin().source().value(),
        deployment.origin().rollbackTo().map(DeploymentId::value).orElse(null),
        deployment.times().created());
  }

  public Optional<Deployment> find(Handle tx, DeploymentId id) {
    return tx.createQuery(BY_ID)
        .bind(0, id.value())
        .map((row, context) -> deployment(row))
        .findOne();
  }

  /** The deployment, its row locked until the transaction ends. */
  Deployment lock(Handle tx, DeploymentId id) {
    return tx.createQuery(BY_ID + " FOR NO KEY UPDATE")
        .bind(0, id.value())
        .map((row, context) -> deployment(row))
        .one();
  }

  EnvVars env(Handle tx, DeploymentId id) {
    byte[] sealed = tx.createQuery(ENV).bind(0, id.value()).mapTo(byte[].class).one();
    return vault.openEnv(sealed, id.value());
  }

  /** Newest first, those before {@code before}. The project of the filter is the account's. */
  List<Deployment> list(Handle tx, Filter filter, Optional<DeploymentId> before, int limit) {
    return listing(tx, "", filter, before, limit).map((row, context) -> deployment(row)).list();
  }

  /**
   * @param prefix for example {@code EXPLAIN}
   */
  static Query listing(
      Handle tx, String prefix, Filter filter, Optional<DeploymentId> before, int limit) {
    String conditions =
        (filter.project().isPresent() ? "project_id" : "account_id")
            + " = :owner"
            + (filter.project().isPresent() ? "" : NOT_HIDDEN)
            + (filter.status().isPresent() ? " AND status = :status" : "")
            + (before.isPresent() ? " AND id COLLATE \"C\" < :before" : "");
    Query query = tx.createQuery(prefix + LIST.formatted(conditions));
    query.bind("owner", filter.project().map(ProjectId::value).orElseGet(filter.account()::value));
    filter.status().ifPresent(status -> query.bind("status", status.name()));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query.bind("limit", limit);
  }

  /**
   * A job begins, for the first time or once more; empty where the deployment has ended, or is
   * another job's by now.
   */
  Optional<Deployment> begin(
      Handle tx, DeploymentId id, DeploymentStatus from, DeploymentStatus status, Instant now) {
    return tx.createQuery(BEGIN)
        .bind("id", id.value())
        .bind("from", from.name())
        .bind("status", status.name())
        .bind("building", status == DeploymentStatus.BUILDING ? now : null)
        .map((row, context) -> deployment(row))
        .findOne();
  }

  boolean resolved(Handle tx, DeploymentId id, int attempt, Commit commit) {
    return tx.execute(RESOLVED, commit.sha(), commit.message(), id.value(), attempt) == 1;
  }

  boolean detected(Handle tx, DeploymentId id, int attempt, String framework) {
    return tx.execute(DETECTED, framework, id.value(), attempt) == 1;
  }

  /** Its build is given these from now on. */
  void builtWith(Handle tx, DeploymentId id, int attempt, String variables) {
    tx.execute(BUILT_WITH, variables, id.value(), attempt);
  }

  Optional<Deployment> built(
      Handle tx, DeploymentId id, int attempt, ReleaseId release, Instant now) {
    return moved(tx, BUILT, release.value(), now, id.value(), attempt);
  }

  Optional<Deployment> live(Handle tx, DeploymentId id, int attempt, Instant now) {
    return moved(tx, LIVE, now, id.value(), attempt);
  }

  Optional<Deployment> rolledBack(Handle tx, DeploymentId id, Instant now) {
    return moved(tx, ROLLED_BACK, now, id.value());
  }

  Optional<Deployment> fail(Handle tx, Deployment deployment, Failure failure, Instant now) {
    return moved(
        tx,
        FAIL,
        now,
        failure.code().name(),
        failure.message(),
        deployment.id().value(),
        deployment.attempt());
  }

  private static Optional<Deployment> moved(Handle tx, String update, Object... values) {
    return tx.select(update, values).map((row, context) -> deployment(row)).findOne();
  }

  List<Deployment> olderUnfinished(Handle tx, ProjectId project, DeploymentId than) {
    return tx.createQuery(OLDER_UNFINISHED)
        .bind(0, project.value())
        .bind(1, than.value())
        .map((row, context) -> deployment(row))
        .list();
  }

  /** All that have not ended, their rows locked until the transaction ends. */
  List<Deployment> unfinished(Handle tx, ProjectId project) {
    return tx.createQuery(UNFINISHED)
        .bind(0, project.value())
        .map((row, context) -> deployment(row))
        .list();
  }

  /** Those of earlier pushes to the same branch that nobody works on yet, their rows locked. */
  List<Deployment> waitingPushes(Handle tx, Deployment push) {
    return tx.createQuery(WAITING_PUSHES)
        .bind(0, push.projectId().value())
        .bind(1, push.id().value())
        .bind(2, push.code().branch().orElseThrow())
        .map((row, context) -> deployment(row))
        .list();
  }

  /** Whether its commit was not pushed once more since. */
  boolean isLatestPush(Handle tx, Deployment push, String sha) {
    return tx.createQuery(LATEST_PUSH)
        .bind(0, push.projectId().value())
        .bind(1, push.id().value())
        .bind(2, sha)
        .mapTo(Boolean.class)
        .one();
  }

  Optional<Deployment> newestUnfinished(Handle tx, ProjectId project) {
    return tx.createQuery(NEWEST_UNFINISHED)
        .bind(0, project.value())
        .map((row, context) -> deployment(row))
        .findOne();
  }

  /** What runs, on whatever host, of deployments that served once and do not now. */
  List<DeploymentId> awakePreviews(Handle tx, ProjectId project) {
    return tx.createQuery(AWAKE_PREVIEWS).bind(0, project.value()).mapTo(DeploymentId.class).list();
  }

  boolean newerLive(Handle tx, Deployment deployment) {
    return tx.createQuery(NEWER_LIVE)
        .bind(0, deployment.projectId().value())
        .bind(1, deployment.id().value())
        .mapTo(Boolean.class)
        .one();
  }

  boolean olderRollbackUnfinished(Handle tx, DeploymentId id) {
    return tx.createQuery(OLDER_ROLLBACK_UNFINISHED).bind(0, id.value()).mapTo(Boolean.class).one();
  }

  Set<DeploymentId> inStatus(Handle tx, DeploymentStatus... statuses) {
    String[] names = new String[statuses.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = statuses[i].name();
    }
    return tx
        .createQuery(IN_STATUS)
        .bindArray(0, String.class, (Object[]) names)
        .mapTo(String.class)
        .list()
        .stream()
        .map(DeploymentId::new)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The one that built it, and every rollback to it. */
  List<DeploymentId> ofRelease(Handle tx, ReleaseId release) {
    return tx.createQuery(OF_RELEASE).bind(0, release.value()).mapTo(DeploymentId.class).list();
  }

  /** How many instances each program should have that serves a project. */
  Map<DeploymentId, Integer> wantedInstances(Handle tx) {
    Map<DeploymentId, Integer> wanted = new LinkedHashMap<>();
    tx.createQuery(WANTED)
        .map((row, context) ->
            Map.entry(new DeploymentId(row.getString("id")), row.getInt("instances")))
        .forEach(it -> wanted.put(it.getKey(), it.getValue()));
    return wanted;
  }

  boolean isServing(Handle tx, DeploymentId id) {
    return tx.createQuery(IS_SERVING).bind(0, id.value()).mapTo(Boolean.class).one();
  }

  static Deployment deployment(ResultSet row) throws SQLException {
    Optional<String> sha = text(row, "commit_sha");
    Optional<String> error = text(row, "error_code");
    String message = text(row, "commit_message").orElse("");
    String errorMessage = text(row, "error_message").orElse("");
    return new Deployment(
        new DeploymentId(row.getString("id")),
        new AccountId(row.getString("account_id")),
        new ProjectId(row.getString("project_id")),
        row.getString("log_id"),
        new Deployment.Origin(
            Trigger.valueOf(row.getString("trigger")),
            new DeploymentId(row.getString("source_deployment_id")),
            text(row, "rollback_to").map(DeploymentId::new)),
        DeploymentStatus.valueOf(row.getString("status")),
        new Deployment.Code(
            text(row, "branch"),
            text(row, "requested_sha"),
            text(row, "upload_id").map(UploadId::new),
            sha.map(value -> new Commit(value, message)),
            row.getBoolean("rebuild")),
        text(row, "framework"),
        row.getString("region"),
        row.getString("instance_type"),
        row.getString("preview_label"),
        text(row, "database_id").map(DatabaseId::new),
        text(row, "release_id").map(ReleaseId::new),
        row.getInt("attempt"),
        new Deployment.Times(
            row.getTimestamp("created_at").toInstant(),
            time(row, "building_at"),
            time(row, "built_at"),
            time(row, "live_at"),
            time(row, "ended_at")),
        error.map(code -> new Failure(FailureCode.valueOf(code), errorMessage)));
  }

  private static Optional<String> text(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    @Nullable Timestamp value = row.getTimestamp(column);
    return Optional.ofNullable(value).map(Timestamp::toInstant);
  }
}
