package dev.slipway.runlog;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Rows of run logs. Every call runs in the caller's transaction. */
final class LogStore {
  private static final String CREATE = "INSERT INTO run_log (id) VALUES (?)";

  // The row lock orders the writers of one log.
  private static final String LOCK =
      "SELECT last_seq, last_at, closed FROM run_log WHERE id = ? FOR UPDATE";

  private static final String ADVANCE = "UPDATE run_log SET last_seq = ?, last_at = ? WHERE id = ?";

  private static final String INSERT =
      "INSERT INTO run_log_entry (log_id, seq, at, level, message) VALUES (?, ?, ?, ?, ?)";

  private static final String CLOSE = "UPDATE run_log SET closed = true WHERE id = ?";

  private static final String CLOSED = "SELECT closed FROM run_log WHERE id = ?";

  private static final String READ =
      """
      SELECT seq, at, level, message FROM run_log_entry
       WHERE log_id = ? AND seq > ?
       ORDER BY seq LIMIT ?
      """;

  void create(Handle tx, String logId) {
    tx.execute(CREATE, logId);
  }

  /** Adds entries; to a log that is closed nothing, so that its last entry stays the last. */
  void append(Handle tx, String logId, List<LogEntry> entries) {
    End end =
        tx.createQuery(LOCK)
            .bind(0, logId)
            .map((row, context) ->
                new End(row.getLong("last_seq"), lastAt(row), row.getBoolean("closed")))
            .one();
    if (entries.isEmpty() || end.closed()) {
      return;
    }
    long seq = end.seq();
    // A clock that steps back must not show in the log.
    Instant floor = end.at();
    PreparedBatch batch = tx.prepareBatch(INSERT);
    for (LogEntry entry : entries) {
      seq++;
      floor = entry.timestamp().isBefore(floor) ? floor : entry.timestamp();
      batch
          .bind(0, logId)
          .bind(1, seq)
          .bind(2, floor.truncatedTo(ChronoUnit.MILLIS))
          .bind(3, entry.level().name())
          .bind(4, entry.message())
          .add();
    }
    batch.execute();
    tx.execute(ADVANCE, seq, floor, logId);
  }

  void close(Handle tx, String logId) {
    tx.execute(CLOSE, logId);
  }

  boolean closed(Handle tx, String logId) {
    return tx.createQuery(CLOSED).bind(0, logId).mapTo(Boolean.class).findOne().orElse(true);
  }

  List<StoredEntry> read(Handle tx, String logId, long afterSeq, int limit) {
    return tx.createQuery(READ)
        .bind(0, logId)
        .bind(1, afterSeq)
        .bind(2, limit)
        .map((row, context) ->
            new StoredEntry(
                row.getLong("seq"),
                new LogEntry(
                    row.getTimestamp("at").toInstant(),
                    LogLevel.valueOf(row.getString("level")),
                    row.getString("message"))))
        .list();
  }

  private static Instant lastAt(ResultSet row) throws SQLException {
    @Nullable Timestamp lastAt = row.getTimestamp("last_at");
    return lastAt == null ? Instant.EPOCH : lastAt.toInstant();
  }

  /** Where a log ends so far. */
  private record End(long seq, Instant at, boolean closed) {}
}
