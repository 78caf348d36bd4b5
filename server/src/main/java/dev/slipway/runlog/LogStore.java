package dev.slipway.runlog;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Rows of run logs. Every call runs in the caller's transaction. */
final class LogStore {
  private static final String CREATE = "INSERT INTO run_log (id) VALUES (?)";

  // The row lock orders the writers of one log.
  private static final String LOCK =
      """
      SELECT last_seq, last_at, closed, bytes, head_seq, cut_seq FROM run_log
       WHERE id = ? FOR UPDATE
      """;

  private static final String ADVANCE =
      "UPDATE run_log SET last_seq = ?, last_at = ?, bytes = ?, head_seq = ? WHERE id = ?";

  // The oldest entries after a place that are so large together; not the last one of all.
  private static final String CUT_AT =
      """
      SELECT seq FROM (
        SELECT seq, sum(octet_length(message) + ?) OVER (ORDER BY seq) AS bytes
          FROM run_log_entry WHERE log_id = ? AND seq > ? AND seq < ?) entries
       WHERE bytes >= ? ORDER BY seq LIMIT 1
      """;

  private static final String CUT =
      """
      WITH gone AS (
        DELETE FROM run_log_entry WHERE log_id = ? AND seq > ? AND seq <= ?
        RETURNING octet_length(message) + ? AS bytes)
      UPDATE run_log SET bytes = bytes - (SELECT coalesce(sum(bytes), 0) FROM gone), cut_seq = ?
       WHERE id = ?
      """;

  private static final String INSERT =
      "INSERT INTO run_log_entry (log_id, seq, at, level, message) VALUES (?, ?, ?, ?, ?)";

  private static final String CLOSE = "UPDATE run_log SET closed = true WHERE id = ?";

  private static final String LAST_SEQ = "SELECT last_seq FROM run_log WHERE id = ?";

  private static final String CLOSED = "SELECT closed FROM run_log WHERE id = ?";

  private static final String READ =
      """
      SELECT seq, at, level, message FROM run_log_entry
       WHERE log_id = ? AND seq > ?
       ORDER BY seq LIMIT ?
      """;

  private final LogCap cap;

  LogStore(LogCap cap) {
    this.cap = cap;
  }

  void create(Handle tx, String logId) {
    tx.execute(CREATE, logId);
  }

  /** Adds entries; to a log that is closed nothing, so that its last entry stays the last. */
  void append(Handle tx, String logId, List<LogEntry> entries) {
    End end = tx.createQuery(LOCK).bind(0, logId).map((row, context) -> end(row)).one();
    if (entries.isEmpty() || end.closed()) {
      return;
    }
    long seq = end.seq();
    long bytes = end.bytes();
    @Nullable Long headSeq = end.headSeq();
    // A clock that steps back must not show in the log.
    Instant floor = end.at();
    PreparedBatch batch = tx.prepareBatch(INSERT);
    for (LogEntry entry : entries) {
      seq++;
      bytes += entry.message().getBytes(StandardCharsets.UTF_8).length + LogCap.ENTRY_BYTES;
      if (headSeq == null && bytes >= cap.headBytes()) {
        headSeq = seq;
      }
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
    tx.execute(ADVANCE, seq, floor, bytes, headSeq, logId);
    if (headSeq != null && bytes > cap.maxBytes()) {
      long after = end.cutSeq() == null ? headSeq : end.cutSeq();
      cut(tx, logId, after, seq, bytes - cap.maxBytes() + cap.slackBytes());
    }
  }

  private static void cut(Handle tx, String logId, long after, long last, long tooMany) {
    long until =
        tx.createQuery(CUT_AT)
            .bind(0, LogCap.ENTRY_BYTES)
            .bind(1, logId)
            .bind(2, after)
            .bind(3, last)
            .bind(4, tooMany)
            .mapTo(Long.class)
            .findOne()
            .orElse(last - 1);
    if (until > after) {
      tx.execute(CUT, logId, after, until, LogCap.ENTRY_BYTES, until, logId);
    }
  }

  void close(Handle tx, String logId) {
    tx.execute(CLOSE, logId);
  }

  boolean closed(Handle tx, String logId) {
    return tx.createQuery(CLOSED).bind(0, logId).mapTo(Boolean.class).findOne().orElse(true);
  }

  long lastSeq(Handle tx, String logId) {
    return tx.createQuery(LAST_SEQ).bind(0, logId).mapTo(Long.class).findOne().orElse(0L);
  }

  /** At most so many; a line of its own says where entries were left out, and how many. */
  List<StoredEntry> read(Handle tx, String logId, long afterSeq, int limit) {
    List<StoredEntry> kept =
        tx.createQuery(READ)
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
    List<StoredEntry> read = new ArrayList<>(kept.size() + 1);
    long last = afterSeq;
    for (StoredEntry entry : kept) {
      if (entry.seq() > last + 1) {
        read.add(leftOut(entry, entry.seq() - last - 1));
      }
      read.add(entry);
      last = entry.seq();
    }
    return List.copyOf(read.subList(0, Math.min(limit, read.size())));
  }

  /** Stands at the place of the last entry that is missing. */
  private static StoredEntry leftOut(StoredEntry next, long lines) {
    return new StoredEntry(
        next.seq() - 1,
        new LogEntry(
            next.entry().timestamp(),
            LogLevel.WARNING,
            "The log is too long to be kept whole: %,d lines were left out here."
                .formatted(lines)));
  }

  private static End end(ResultSet row) throws SQLException {
    return new End(
        row.getLong("last_seq"),
        lastAt(row),
        row.getBoolean("closed"),
        row.getLong("bytes"),
        row.getObject("head_seq", Long.class),
        row.getObject("cut_seq", Long.class));
  }

  private static Instant lastAt(ResultSet row) throws SQLException {
    @Nullable Timestamp lastAt = row.getTimestamp("last_at");
    return lastAt == null ? Instant.EPOCH : lastAt.toInstant();
  }

  /** Where a log ends so far. */
  private record End(
      long seq,
      Instant at,
      boolean closed,
      long bytes,
      @Nullable Long headSeq,
      @Nullable Long cutSeq) {}
}
