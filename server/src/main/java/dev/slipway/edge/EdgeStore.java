package dev.slipway.edge;

import dev.slipway.core.EdgeId;
import dev.slipway.core.InstanceId;
import dev.slipway.db.Notifications;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Rows of the edges that are processes of their own, and of what they are asked to let go of. Runs
 * in the caller's transaction.
 */
final class EdgeStore {
  /** Notified when something is to be drained. */
  static final String DRAIN = "slipway_edge_drain";

  /** Notified when an edge has drained something. */
  static final String DRAINED = "slipway_edge_drained";

  private static final String BEAT =
      """
      INSERT INTO edge (id, beat) VALUES (?, 1)
          ON CONFLICT (id) DO UPDATE SET beat = edge.beat + 1
      RETURNING beat
      """;

  private static final String BEATS = "SELECT id, beat FROM edge";

  // The beat is the guard: one that shows itself at this moment is not gone.
  private static final String GONE = "DELETE FROM edge WHERE id = ? AND beat = ?";

  private static final String LEAVE = "DELETE FROM edge WHERE id = ?";

  // What is ended already has no row, and nothing to be drained.
  private static final String ASK =
      """
      INSERT INTO edge_drain (instance_id, limit_ms) SELECT id, ? FROM instance WHERE id = ?
          ON CONFLICT DO NOTHING
      """;

  private static final String ASKED_OF =
      """
      SELECT d.instance_id, d.limit_ms FROM edge_drain d
       WHERE NOT EXISTS
             (SELECT FROM edge_drained x WHERE x.instance_id = d.instance_id AND x.edge_id = ?)
      """;

  private static final String DONE =
      """
      INSERT INTO edge_drained (edge_id, instance_id, in_full)
      SELECT e.id, d.instance_id, ? FROM edge e, edge_drain d WHERE e.id = ? AND d.instance_id = ?
          ON CONFLICT DO NOTHING
      """;

  private static final String MISSING =
      """
      SELECT d.instance_id FROM edge_drain d, edge e
       WHERE NOT EXISTS
             (SELECT FROM edge_drained x WHERE x.instance_id = d.instance_id AND x.edge_id = e.id)
      """;

  private static final String CUT_OFF = "SELECT instance_id FROM edge_drained WHERE NOT in_full";

  /** A request to drain an instance. */
  record Drain(InstanceId instance, Duration limit) {}

  /** A sign of life of an edge; true where it was not known. */
  boolean beat(Handle tx, EdgeId edge) {
    return tx.createQuery(BEAT).bind(0, edge.value()).mapTo(Long.class).one() == 1;
  }

  /** Each edge that is known, and how often it has shown that it lives. */
  Map<EdgeId, Long> beats(Handle tx) {
    Map<EdgeId, Long> beats = new HashMap<>();
    tx.createQuery(BEATS)
        .map((row, _) -> Map.entry(new EdgeId(row.getString("id")), row.getLong("beat")))
        .forEach(row -> beats.put(row.getKey(), row.getValue()));
    return beats;
  }

  /** False where it has shown itself since. */
  boolean gone(Handle tx, EdgeId edge, long beat) {
    return tx.execute(GONE, edge.value(), beat) == 1;
  }

  void leave(Handle tx, EdgeId edge) {
    tx.execute(LEAVE, edge.value());
  }

  /** Asks all edges; what was asked before goes on as it was. */
  void ask(Handle tx, InstanceId instance, Duration limit) {
    tx.execute(ASK, limit.toMillis(), instance.value());
    Notifications.notify(tx, DRAIN, instance.value());
  }

  /** What the edge has not drained yet. */
  List<Drain> askedOf(Handle tx, EdgeId edge) {
    return tx.createQuery(ASKED_OF)
        .bind(0, edge.value())
        .map((row, _) ->
            new Drain(
                new InstanceId(row.getString("instance_id")),
                Duration.ofMillis(row.getLong("limit_ms"))))
        .list();
  }

  /** The edge has drained it; nothing happens where one of the two is not known any more. */
  void done(Handle tx, EdgeId edge, InstanceId instance, boolean inFull) {
    tx.execute(DONE, inFull, edge.value(), instance.value());
    Notifications.notify(tx, DRAINED, instance.value());
  }

  /** What some edge has not drained yet. */
  Set<InstanceId> missing(Handle tx) {
    return instances(tx, MISSING);
  }

  /** What was drained and had requests that were ended. */
  Set<InstanceId> cutOff(Handle tx) {
    return instances(tx, CUT_OFF);
  }

  private static Set<InstanceId> instances(Handle tx, String query) {
    Collection<String> ids = tx.createQuery(query).mapTo(String.class).list();
    Set<InstanceId> all = new HashSet<>();
    ids.forEach(id -> all.add(new InstanceId(id)));
    return all;
  }
}
