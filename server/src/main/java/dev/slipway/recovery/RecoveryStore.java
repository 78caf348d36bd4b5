package dev.slipway.recovery;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** What rows say of files. Every call runs in the caller's transaction. */
final class RecoveryStore {
  private static final String RELEASES = "SELECT count(*) FROM release WHERE pruned_at IS NULL";

  // One that is restored from an older one needs that.
  private static final String BACKUPS =
      """
      (SELECT DISTINCT ON (database_id) id, database_id FROM database_backup
        WHERE status = 'COMPLETE'
        ORDER BY database_id, id COLLATE "C" DESC)
      UNION
      SELECT b.id, b.database_id FROM database_backup b
        JOIN database_project d ON d.restore_from = b.id
       WHERE b.status = 'COMPLETE'
      """;

  private static final String WITHOUT_BACKUP =
      """
      SELECT d.id FROM database_project d
       WHERE d.origin = 'CREATED' AND d.server IS NOT NULL
         AND NOT EXISTS (
           SELECT FROM database_backup b WHERE b.database_id = d.id AND b.id = ANY(?))
       ORDER BY d.id
      """;

  private static final String FORGET_BACKUPS =
      "DELETE FROM database_backup WHERE status = 'COMPLETE' AND NOT id = ANY(?)";

  private RecoveryStore() {}

  /** How many are kept. */
  static int releases(Handle tx) {
    return tx.createQuery(RELEASES).mapTo(Integer.class).one();
  }

  /** Those that bring databases back: the ids of their databases, by their own. */
  static Map<String, String> backups(Handle tx) {
    Map<String, String> found = new TreeMap<>();
    tx.createQuery(BACKUPS)
        .map((row, context) -> Map.entry(row.getString("id"), row.getString("database_id")))
        .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    return found;
  }

  /** Databases of ours that none of these backups is of. */
  static List<String> withoutBackup(Handle tx, Collection<String> backups) {
    return tx.createQuery(WITHOUT_BACKUP)
        .bindArray(0, String.class, List.copyOf(backups))
        .mapTo(String.class)
        .list();
  }

  /** Those alone have a file. */
  static void forgetBackupsBut(Handle tx, Collection<String> backups) {
    tx.createUpdate(FORGET_BACKUPS).bindArray(0, String.class, List.copyOf(backups)).execute();
  }
}
