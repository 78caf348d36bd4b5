package dev.slipway.dbproject;

import dev.slipway.core.DatabaseId;
import dev.slipway.job.Jobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Rows of databases whose server is gone with all that was on it, as when the store came back on
 * another machine. Opens no secret: the master key need not be there yet. Every call runs in the
 * caller's transaction.
 */
public final class LostStore {
  // Whoever was dropping one has what they wanted; whoever was restoring one wants that backup.
  private static final String GIVE_UP =
      """
      UPDATE database_project d
         SET status = CASE WHEN lost.backup IS NULL THEN 'DROPPED' ELSE 'RESTORING' END,
             restore_from = lost.backup, dropped_at = :now, changed_at = NULL,
             turn = turn + 1, attempt = attempt + 1, version = version + 1,
             server = NULL, name = NULL, login = NULL, password = NULL,
             failure_code = NULL, failure_message = NULL
        FROM (SELECT p.id,
                     CASE WHEN p.status <> 'DROPPING' THEN
                       (SELECT b.id FROM database_backup b
                         WHERE b.database_id = p.id AND b.status = 'COMPLETE'
                         ORDER BY (p.status = 'RESTORING' AND b.id IS NOT DISTINCT FROM p.restore_from) DESC,
                                  b.id COLLATE "C" DESC
                         LIMIT 1)
                     END AS backup
                FROM database_project p WHERE p.server = :server) lost
       WHERE d.id = lost.id
      RETURNING d.id, d.turn, lost.backup IS NOT NULL AS found
      """;

  // On other servers, what was made and not yet in use then may be what was used later: it must not
  // be dropped. No name is ever used twice.
  private static final String FORGET_LEFTOVERS =
      """
      DELETE FROM database_leftover WHERE server = ? OR state = 'MADE'
      RETURNING server, name, login
      """;

  private static final BackupStore BACKUPS = new BackupStore();

  private LostStore() {}

  /**
   * What became of them.
   *
   * @param restoring how many are filled from their newest backup as soon as a server runs
   * @param dropped how many have none
   * @param left what was being made on other servers, as {@code server name/login}: nobody drops it
   */
  public record Outcome(int restoring, int dropped, List<String> left) {}

  private record Lost(Task task, boolean found) {}

  /** All that were on that server. */
  public static Outcome bringBack(Handle tx, String server, Instant now) {
    List<Lost> lost =
        tx.createQuery(GIVE_UP)
            .bind("server", server)
            .bind("now", now)
            .map((row, context) ->
                new Lost(
                    new Task(new DatabaseId(row.getString("id")), row.getInt("turn")),
                    row.getBoolean("found")))
            .list();
    List<Lost> restoring = lost.stream().filter(Lost::found).toList();
    restoring.forEach(it -> Jobs.schedule(tx, RestoreJob.KIND, it.task().subject(), now));
    // They are all that there is: a restore that fails must not be the end of them.
    restoring.forEach(it -> BACKUPS.keep(tx, it.task().id(), now.plus(Dropping.BACKUPS_STAY)));
    return new Outcome(
        restoring.size(), lost.size() - restoring.size(), forgetLeftovers(tx, server));
  }

  private static List<String> forgetLeftovers(Handle tx, String server) {
    List<String> left = new ArrayList<>();
    tx
        .createQuery(FORGET_LEFTOVERS)
        .bind(0, server)
        .map((row, context) ->
            Map.entry(
                row.getString("server"), row.getString("name") + "/" + row.getString("login")))
        .list()
        .stream()
        .filter(it -> !it.getKey().equals(server))
        .forEach(it -> left.add(it.getKey() + " " + it.getValue()));
    return left;
  }
}
