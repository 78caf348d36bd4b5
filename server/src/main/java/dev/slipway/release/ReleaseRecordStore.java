package dev.slipway.release;

import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Rows of releases. Every call runs in the caller's transaction. */
public final class ReleaseRecordStore {
  private static final String INSERT =
      """
      INSERT INTO release (id, project_id, framework, serving, tools, files, bytes, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String KEPT = "SELECT * FROM release WHERE id = ? AND pruned_at IS NULL";

  private static final String BUILT_FROM =
      "UPDATE release SET build_source = ?, build_env = ? WHERE id = ?";

  // One that has served is known to work.
  private static final String OF_KEY =
      """
      SELECT * FROM release
       WHERE project_id = ? AND build_source = ? AND build_env = ? AND pruned_at IS NULL
         AND served_at IS NOT NULL
       ORDER BY served_at DESC LIMIT 1
      """;

  private static final String SERVED = "UPDATE release SET served_at = ? WHERE id = ?";

  // Kept: the newest of the project by when they last served, and whatever may serve yet. What
  // never served and belongs to no unfinished deployment never will.
  private static final String PRUNE =
      """
      UPDATE release SET pruned_at = ?
       WHERE id IN (
               SELECT id FROM (
                 SELECT id, served_at, row_number() OVER (ORDER BY served_at DESC NULLS LAST) AS rank
                   FROM release WHERE project_id = ? AND pruned_at IS NULL) ranked
                WHERE rank > ? OR served_at IS NULL)
         AND NOT EXISTS (
               SELECT FROM deployment d
                WHERE d.release_id = release.id
                  AND d.status IN ('QUEUED', 'BUILDING', 'DEPLOYING'))
      RETURNING id
      """;

  private static final String PRUNE_ALL =
      "UPDATE release SET pruned_at = ? WHERE project_id = ? AND pruned_at IS NULL";

  // A preview that is awake still reads the files of a release that was just pruned.
  private static final String ALL_KEPT =
      """
      SELECT id FROM release WHERE pruned_at IS NULL
       UNION
      SELECT d.release_id FROM instance i JOIN deployment d ON d.id = i.deployment_id
       WHERE d.release_id IS NOT NULL
      """;

  private static final String TOOLS_IN_USE =
      """
      SELECT unnest(tools) FROM release WHERE pruned_at IS NULL
       UNION
      SELECT unnest(r.tools) FROM instance i
        JOIN deployment d ON d.id = i.deployment_id
        JOIN release r ON r.id = d.release_id
      """;

  public void insert(Handle tx, ReleaseRecord record, Instant now) {
    tx.execute(
        INSERT,
        record.release().id().value(),
        record.projectId().value(),
        record.framework(),
        ServingJson.write(record.serving()),
        record.tools().toArray(new String[0]),
        record.release().files(),
        record.release().bytes(),
        now);
  }

  /** Empty where it never was, or was pruned. */
  public Optional<ReleaseRecord> findKept(Handle tx, ReleaseId id) {
    return tx.createQuery(KEPT).bind(0, id.value()).map((row, context) -> record(row)).findOne();
  }

  public void builtFrom(Handle tx, ReleaseId id, BuildKey key) {
    tx.execute(BUILT_FROM, key.source(), key.env(), id.value());
  }

  /** The one of a project that was made from the same and served last. */
  public Optional<ReleaseRecord> findBuiltFrom(Handle tx, ProjectId project, BuildKey key) {
    return tx.createQuery(OF_KEY)
        .bind(0, project.value())
        .bind(1, key.source())
        .bind(2, key.env())
        .map((row, context) -> record(row))
        .findOne();
  }

  public void served(Handle tx, ReleaseId id, Instant now) {
    tx.execute(SERVED, now, id.value());
  }

  /**
   * Marks all but the {@code keep} releases of a project that served last as pruned; those that
   * serve, or belong to unfinished work, stay.
   *
   * @param keep at least 2: the one that serves and the one before it
   * @return those that were marked
   */
  public List<ReleaseId> prune(Handle tx, ProjectId project, int keep, Instant now) {
    return tx.createQuery(PRUNE)
        .bind(0, now)
        .bind(1, project.value())
        .bind(2, keep)
        .mapTo(ReleaseId.class)
        .list();
  }

  /** Marks all releases of a project as pruned; answers how many were not before. */
  public int pruneAll(Handle tx, ProjectId project, Instant now) {
    return tx.execute(PRUNE_ALL, now, project.value());
  }

  public Set<ReleaseId> allKept(Handle tx) {
    return tx.createQuery(ALL_KEPT).mapTo(String.class).list().stream()
        .map(ReleaseId::new)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** What the programs of kept releases and of running instances need, as {@code node@22.12.0}. */
  public Set<String> toolsInUse(Handle tx) {
    return Set.copyOf(tx.createQuery(TOOLS_IN_USE).mapTo(String.class).list());
  }

  private static ReleaseRecord record(ResultSet row) throws SQLException {
    return new ReleaseRecord(
        new Release(new ReleaseId(row.getString("id")), row.getInt("files"), row.getLong("bytes")),
        new ProjectId(row.getString("project_id")),
        row.getString("framework"),
        ServingJson.read(row.getString("serving")),
        List.of((String[]) row.getArray("tools").getArray()));
  }
}
