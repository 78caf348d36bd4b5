package dev.slipway.upload;

import dev.slipway.core.AccountId;
import dev.slipway.core.UploadId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Rows of uploads. Every call runs in the caller's transaction. */
public final class UploadStore {
  private static final String INSERT =
      """
      INSERT INTO upload (id, account_id, size_bytes, sha256, name, created_at, kept_until)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String BY_ID = "SELECT * FROM upload WHERE id = ?";

  private static final String USED = "UPDATE upload SET kept_until = ? WHERE id = ?";

  private static final String ALL = "SELECT id FROM upload";

  // The latest source of a project may be deployed again; what runs, or can be gone back to, keeps
  // what it was made of.
  private static final String NOT_NEEDED =
      """
      NOT EXISTS (SELECT FROM project p WHERE p.upload_id = u.id AND p.deleted_at IS NULL)
      AND NOT EXISTS (
        SELECT FROM deployment d LEFT JOIN release r ON r.id = d.release_id
         WHERE d.upload_id = u.id
           AND (d.status IN ('QUEUED', 'BUILDING', 'DEPLOYING')
                OR (d.release_id IS NOT NULL AND r.pruned_at IS NULL)))
      """;

  private static final String FORGET =
      "DELETE FROM upload u WHERE u.kept_until <= ? AND " + NOT_NEEDED;

  private static final String UNNEEDED_BYTES =
      "SELECT coalesce(sum(u.size_bytes), 0) FROM upload u WHERE u.account_id = ? AND "
          + NOT_NEEDED;

  void insert(Handle tx, Upload upload) {
    tx.execute(
        INSERT,
        upload.id().value(),
        upload.accountId().value(),
        upload.sizeBytes(),
        upload.sha256(),
        upload.name(),
        upload.createdAt(),
        upload.keptUntil());
  }

  Optional<Upload> find(Handle tx, UploadId id) {
    return tx.createQuery(BY_ID).bind(0, id.value()).map((row, context) -> upload(row)).findOne();
  }

  /** False where it is gone; else it stays at least until then, as soon as this is committed. */
  boolean used(Handle tx, UploadId id, Instant keptUntil) {
    return tx.execute(USED, keptUntil, id.value()) == 1;
  }

  /** Deletes what nothing needs any more. */
  void forget(Handle tx, Instant now) {
    tx.execute(FORGET, now);
  }

  /** Of the account's uploads that nothing needs. */
  long unneededBytes(Handle tx, AccountId account) {
    return tx.createQuery(UNNEEDED_BYTES).bind(0, account.value()).mapTo(Long.class).one();
  }

  Set<String> all(Handle tx) {
    return Set.copyOf(tx.createQuery(ALL).mapTo(String.class).list());
  }

  private static Upload upload(ResultSet row) throws SQLException {
    return new Upload(
        new UploadId(row.getString("id")),
        new AccountId(row.getString("account_id")),
        row.getLong("size_bytes"),
        row.getString("sha256"),
        row.getString("name"),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("kept_until").toInstant());
  }
}
