package dev.slipway.migration;

import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.MigrationId;
import dev.slipway.core.ProjectId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Rows of migrations. Every call runs in the caller's transaction. */
public final class MigrationStore {
  private static final String INSERT =
      """
      INSERT INTO migration (id, account_id, project_id, log_id, database_id, status, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String BY_ID = "SELECT * FROM migration WHERE id = ?";

  private static final String LIST =
      """
      SELECT * FROM migration
       WHERE account_id = :account %s
       ORDER BY id COLLATE "C" DESC LIMIT :limit
      """;

  private static final String PROCESSING =
      """
      UPDATE migration SET status = 'PROCESSING', deployment_id = ?
       WHERE id = ? AND status = 'PENDING'
      RETURNING *
      """;

  private static final String COMPLETE =
      """
      UPDATE migration SET status = 'COMPLETE', completed_at = ?
       WHERE deployment_id = ? AND status = 'PROCESSING'
      RETURNING *
      """;

  private static final String FAIL =
      """
      UPDATE migration SET status = 'FAILED', completed_at = ?, error_code = ?, error_message = ?
       WHERE deployment_id = ? AND status = 'PROCESSING'
      RETURNING *
      """;

  private static final String FAIL_PENDING =
      """
      UPDATE migration SET status = 'FAILED', completed_at = ?, error_code = ?, error_message = ?
       WHERE id = ? AND status = 'PENDING'
      RETURNING *
      """;

  // The account's row orders all that count its migrations.
  private static final String LOCK_ACCOUNT =
      "SELECT tier FROM account WHERE id = ? FOR NO KEY UPDATE";

  private static final String COUNT_PROCESSING =
      "SELECT count(*) FROM migration WHERE account_id = ? AND status = 'PROCESSING'";

  // One that is locked is being ended by somebody who will want the account's row next.
  private static final String OLDEST_PENDING =
      """
      SELECT * FROM migration WHERE account_id = ? AND status = 'PENDING'
       ORDER BY id COLLATE "C" LIMIT ? FOR NO KEY UPDATE SKIP LOCKED
      """;

  private static final String FAIL_PENDING_OF_PROJECT =
      """
      UPDATE migration SET status = 'FAILED', completed_at = ?, error_code = ?, error_message = ?
       WHERE project_id = ? AND status = 'PENDING'
      RETURNING *
      """;

  /** Which migrations of an account. */
  public record Filter(AccountId account, Optional<MigrationStatus> status) {}

  void insert(Handle tx, Migration migration) {
    tx.execute(
        INSERT,
        migration.id().value(),
        migration.accountId().value(),
        migration.projectId().value(),
        migration.logId(),
        migration.database().map(DatabaseId::value).orElse(null),
        migration.status().name(),
        migration.createdAt());
  }

  Optional<Migration> find(Handle tx, MigrationId id) {
    return tx.createQuery(BY_ID)
        .bind(0, id.value())
        .map((row, context) -> migration(row))
        .findOne();
  }

  /** Newest first, those before {@code before}. */
  List<Migration> list(Handle tx, Filter filter, Optional<MigrationId> before, int limit) {
    return listing(tx, "", filter, before, limit).map((row, context) -> migration(row)).list();
  }

  /**
   * @param prefix for example {@code EXPLAIN}
   */
  static Query listing(
      Handle tx, String prefix, Filter filter, Optional<MigrationId> before, int limit) {
    String conditions =
        (filter.status().isPresent() ? "AND status = :status " : "")
            + (before.isPresent() ? "AND id COLLATE \"C\" < :before" : "");
    Query query = tx.createQuery(prefix + LIST.formatted(conditions));
    filter.status().ifPresent(status -> query.bind("status", status.name()));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query.bind("account", filter.account().value()).bind("limit", limit);
  }

  /** Empty where it does not wait for a slot any more. */
  Optional<Migration> processing(Handle tx, MigrationId id, DeploymentId deployment) {
    return moved(tx, PROCESSING, deployment.value(), id.value());
  }

  /** Empty where no migration waits for this deployment. */
  Optional<Migration> complete(Handle tx, DeploymentId deployment, Instant now) {
    return moved(tx, COMPLETE, now, deployment.value());
  }

  /** Empty where no migration waits for this deployment. */
  Optional<Migration> fail(Handle tx, DeploymentId deployment, Failure failure, Instant now) {
    return moved(tx, FAIL, now, failure.code().name(), failure.message(), deployment.value());
  }

  /** Empty where it does not wait for a slot any more. */
  Optional<Migration> failPending(Handle tx, MigrationId id, Failure failure, Instant now) {
    return moved(tx, FAIL_PENDING, now, failure.code().name(), failure.message(), id.value());
  }

  private static Optional<Migration> moved(Handle tx, String update, Object... values) {
    return tx.select(update, values).map((row, context) -> migration(row)).findOne();
  }

  /** Ends what waits for a slot; answers which. */
  List<Migration> failPending(Handle tx, ProjectId project, Failure failure, Instant now) {
    return tx.createQuery(FAIL_PENDING_OF_PROJECT)
        .bind(0, now)
        .bind(1, failure.code().name())
        .bind(2, failure.message())
        .bind(3, project.value())
        .map((row, context) -> migration(row))
        .list();
  }

  /** The tier of the account, its row locked until the transaction ends. */
  String lockAccount(Handle tx, AccountId account) {
    return tx.createQuery(LOCK_ACCOUNT).bind(0, account.value()).mapTo(String.class).one();
  }

  int countProcessing(Handle tx, AccountId account) {
    return tx.createQuery(COUNT_PROCESSING).bind(0, account.value()).mapTo(Integer.class).one();
  }

  List<Migration> pending(Handle tx, AccountId account, int limit) {
    return tx.createQuery(OLDEST_PENDING)
        .bind(0, account.value())
        .bind(1, limit)
        .map((row, context) -> migration(row))
        .list();
  }

  private static Migration migration(ResultSet row) throws SQLException {
    Optional<String> error = Optional.ofNullable(row.getString("error_code"));
    Optional<String> message = Optional.ofNullable(row.getString("error_message"));
    @Nullable Timestamp completed = row.getTimestamp("completed_at");
    return new Migration(
        new MigrationId(row.getString("id")),
        new AccountId(row.getString("account_id")),
        new ProjectId(row.getString("project_id")),
        row.getString("log_id"),
        Optional.ofNullable(row.getString("database_id")).map(DatabaseId::new),
        Optional.ofNullable(row.getString("deployment_id")).map(DeploymentId::new),
        MigrationStatus.valueOf(row.getString("status")),
        row.getTimestamp("created_at").toInstant(),
        Optional.ofNullable(completed).map(Timestamp::toInstant),
        error.map(code -> new Failure(FailureCode.valueOf(code), message.orElse(""))));
  }
}
