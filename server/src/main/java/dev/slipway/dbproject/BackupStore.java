package dev.slipway.dbproject;

import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.Failure;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Rows of backups. Every call runs in the caller's transaction. */
public final class BackupStore {
  private static final String INSERT =
      """
      INSERT INTO database_backup (id, database_id, status, reason, created_at, expires_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """;

  private static final String BY_ID = "SELECT * FROM database_backup WHERE id = ?";

  private static final String LIST =
      """
      SELECT * FROM database_backup
       WHERE database_id = :database %s
       ORDER BY id COLLATE "C" DESC LIMIT :limit
      """;

  private static final String COMPLETE =
      """
      UPDATE database_backup SET status = 'COMPLETE', size_bytes = ?, completed_at = ?
       WHERE id = ? AND status = 'RUNNING'
      """;

  private static final String FAIL =
      """
      UPDATE database_backup SET status = 'FAILED', failure_code = ?, failure_message = ?
       WHERE status = 'RUNNING'
      """;

  private static final String FAIL_ONE = FAIL + " AND id = ?";

  // Those that belong to a run of another job, which has begun anew.
  private static final String CUT_OFF =
      FAIL + " AND database_id = ? AND reason IN ('RESTORE', 'DROP')";

  private static final String RUNNING =
      """
      SELECT EXISTS (
        SELECT FROM database_backup WHERE database_id = ? AND status = 'RUNNING')
      """;

  // Those of another job's run end with it.
  private static final String RUNNING_ALONE =
      """
      SELECT EXISTS (
        SELECT FROM database_backup
         WHERE database_id = ? AND status = 'RUNNING' AND reason IN ('REQUEST', 'SCHEDULE'))
      """;

  private static final String SCHEDULED_RUNNING =
      """
      SELECT EXISTS (
        SELECT FROM database_backup WHERE status = 'RUNNING' AND reason = 'SCHEDULE')
      """;

  // What is made by request or before something else counts too; what failed is tried again soon,
  // but after those that have waited longer for their turn: many that fail must not take all turns.
  // What is made before a restore or a drop holds what was there until then.
  private static final String DUE =
      """
      SELECT d.id
        FROM database_project d
        LEFT JOIN LATERAL (
          SELECT max(b.created_at) FILTER (WHERE b.status = 'COMPLETE') AS made,
                 max(b.created_at) AS tried,
                 (array_agg(b.reason ORDER BY b.id COLLATE "C" DESC)
                    FILTER (WHERE b.status = 'COMPLETE'))[1] AS reason
            FROM database_backup b WHERE b.database_id = d.id) backups ON true
       WHERE d.status = 'READY' AND d.origin = 'CREATED'
         AND (coalesce(backups.made, d.created_at) <= :before
              OR backups.reason IN ('RESTORE', 'DROP'))
         AND (backups.tried IS NULL OR backups.tried <= :triedBefore)
       ORDER BY coalesce(backups.tried, d.created_at), d.id LIMIT 1
      """;

  private static final String KEEP =
      """
      UPDATE database_backup SET expires_at = greatest(expires_at, ?)
       WHERE database_id = ? AND status = 'COMPLETE'
      """;

  // The last one of a database that is there stays, as when no further ones can be made.
  private static final String EXPIRE =
      """
      DELETE FROM database_backup b
       WHERE b.expires_at <= ? AND b.status <> 'RUNNING'
         AND NOT EXISTS (SELECT FROM database_project d WHERE d.restore_from = b.id)
         AND NOT (
           b.status = 'COMPLETE'
           AND EXISTS (
             SELECT FROM database_project d WHERE d.id = b.database_id AND d.status <> 'DROPPED')
           AND NOT EXISTS (
             SELECT FROM database_backup later
              WHERE later.database_id = b.database_id AND later.status = 'COMPLETE'
                AND later.id COLLATE "C" > b.id COLLATE "C"))
      """;

  private static final String WITH_FILES =
      "SELECT id FROM database_backup WHERE status <> 'FAILED'";

  void insert(Handle tx, Backup backup) {
    tx.execute(
        INSERT,
        backup.id().value(),
        backup.databaseId().value(),
        backup.status().name(),
        backup.reason().name(),
        backup.createdAt(),
        backup.expiresAt());
  }

  Optional<Backup> find(Handle tx, BackupId id) {
    return tx.createQuery(BY_ID).bind(0, id.value()).map((row, context) -> backup(row)).findOne();
  }

  /** Newest first, those before {@code before}. */
  List<Backup> list(Handle tx, DatabaseId database, Optional<BackupId> before, int limit) {
    var query =
        tx.createQuery(LIST.formatted(before.isPresent() ? "AND id COLLATE \"C\" < :before" : ""));
    before.ifPresent(id -> query.bind("before", id.value()));
    return query
        .bind("database", database.value())
        .bind("limit", limit)
        .map((row, context) -> backup(row))
        .list();
  }

  /** False where it is not being made any more. */
  boolean complete(Handle tx, BackupId id, long bytes, Instant now) {
    return tx.execute(COMPLETE, bytes, now, id.value()) == 1;
  }

  void fail(Handle tx, BackupId id, Failure failure) {
    tx.execute(FAIL_ONE, failure.code().name(), failure.message(), id.value());
  }

  /** Ends those that were made before something else, by a run that is over. */
  void cutOff(Handle tx, DatabaseId database, Failure failure) {
    tx.execute(CUT_OFF, failure.code().name(), failure.message(), database.value());
  }

  boolean isRunning(Handle tx, DatabaseId database) {
    return tx.createQuery(RUNNING).bind(0, database.value()).mapTo(Boolean.class).one();
  }

  /** One that is no part of something else that is done with the database. */
  boolean isRunningAlone(Handle tx, DatabaseId database) {
    return tx.createQuery(RUNNING_ALONE).bind(0, database.value()).mapTo(Boolean.class).one();
  }

  /** Of whatever database. */
  boolean isScheduledRunning(Handle tx) {
    return tx.createQuery(SCHEDULED_RUNNING).mapTo(Boolean.class).one();
  }

  /**
   * Of the databases whose backup is due, the one that was not tried for longest.
   *
   * @param retry how long after one that failed it is tried again
   */
  Optional<DatabaseId> due(Handle tx, Instant now, Duration every, Duration retry) {
    return tx.createQuery(DUE)
        .bind("before", now.minus(every))
        .bind("triedBefore", now.minus(retry))
        .mapTo(String.class)
        .findOne()
        .map(DatabaseId::new);
  }

  /** All of a database are there until then at least. */
  void keep(Handle tx, DatabaseId database, Instant until) {
    tx.execute(KEEP, until, database.value());
  }

  /** Forgets those that have had their time. */
  void expire(Handle tx, Instant now) {
    tx.execute(EXPIRE, now);
  }

  /** Those that have files, or are getting them. */
  Set<String> withFiles(Handle tx) {
    return Set.copyOf(tx.createQuery(WITH_FILES).mapTo(String.class).list());
  }

  private static Backup backup(ResultSet row) throws SQLException {
    long size = row.getLong("size_bytes");
    OptionalLong sizeBytes = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(size);
    return new Backup(
        new BackupId(row.getString("id")),
        new DatabaseId(row.getString("database_id")),
        Backup.Status.valueOf(row.getString("status")),
        Backup.Reason.valueOf(row.getString("reason")),
        sizeBytes,
        DatabaseStore.failure(row),
        row.getTimestamp("created_at").toInstant(),
        Optional.ofNullable(row.getTimestamp("completed_at")).map(Timestamp::toInstant),
        row.getTimestamp("expires_at").toInstant());
  }
}
