package dev.slipway.metric;

import dev.slipway.core.ProjectId;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** What each edge counted, by project and stretch of time. */
public final class TrafficStore {
  // Not added to: an edge writes the whole of what it counted again and again, so that a write
  // whose answer was lost may be repeated.
  private static final String WRITE =
      """
      INSERT INTO traffic (project_id, seconds, at, edge, statuses, aborted, received_bytes,
                           sent_bytes, answer_nanos, latencies, most_in_flight)
      VALUES (:project, :seconds, :at, :edge, :statuses::bigint[], :aborted, :received,
              :sent, :nanos, :latencies::bigint[], :inFlight)
          ON CONFLICT (project_id, seconds, at, edge) DO UPDATE
         SET statuses = excluded.statuses, aborted = excluded.aborted,
             received_bytes = excluded.received_bytes, sent_bytes = excluded.sent_bytes,
             answer_nanos = excluded.answer_nanos, latencies = excluded.latencies,
             most_in_flight = excluded.most_in_flight
      """;

  private static final String READ =
      """
      SELECT at, statuses, aborted, received_bytes, sent_bytes, answer_nanos, latencies,
             most_in_flight
        FROM traffic
       WHERE project_id = :project AND seconds = :seconds AND at >= :from AND at < :to
       ORDER BY at
      """;

  private static final String REQUESTS =
      """
      SELECT project_id, at,
             sum((SELECT coalesce(sum(ended), 0) FROM unnest(statuses) ended)) AS requests
        FROM traffic
       WHERE project_id = ANY(:projects) AND seconds = :seconds AND at >= :from AND at < :to
       GROUP BY project_id, at
      """;

  private static final String FORGET = "DELETE FROM traffic WHERE seconds = ? AND at < ?";

  /** In the caller's transaction. */
  void write(Handle tx, String edge, Collection<Window> windows) {
    PreparedBatch batch = tx.prepareBatch(WRITE);
    for (Window window : windows) {
      Totals totals = window.totals();
      batch
          .bind("project", window.place().project().value())
          .bind("seconds", window.place().step().seconds())
          .bind("at", window.place().at())
          .bind("edge", edge)
          .bind("statuses", text(totals.byClass()))
          .bind("aborted", totals.aborted())
          .bind("received", totals.receivedBytes())
          .bind("sent", totals.sentBytes())
          .bind("nanos", totals.answerNanos())
          .bind("latencies", text(totals.latencies().trimmed()))
          .bind("inFlight", window.mostInFlight())
          .add();
    }
    batch.execute();
  }

  private static String text(Counts counts) {
    return counts.stream().mapToObj(Long::toString).collect(Collectors.joining(",", "{", "}"));
  }

  /** Those that begin in a stretch of time, in order; of several edges one after the other. */
  List<Window> read(Handle handle, ProjectId project, Window.Step step, Instant from, Instant to) {
    return handle
        .createQuery(READ)
        .bind("project", project.value())
        .bind("seconds", step.seconds())
        .bind("from", from)
        .bind("to", to)
        .map((row, _) -> window(new Window.Place(project, step, at(row)), row))
        .list();
  }

  /**
   * How many requests each project had in each stretch of time; without those in which none was.
   */
  Map<ProjectId, Map<Instant, Long>> requests(
      Handle handle, Collection<ProjectId> projects, Window.Step step, Instant from, Instant to) {
    Map<ProjectId, Map<Instant, Long>> all = new HashMap<>();
    handle
        .createQuery(REQUESTS)
        .bindArray("projects", String.class, projects.stream().map(ProjectId::value).toList())
        .bind("seconds", step.seconds())
        .bind("from", from)
        .bind("to", to)
        .map((row, _) ->
            Map.entry(
                new ProjectId(row.getString("project_id")),
                Map.entry(at(row), row.getLong("requests"))))
        .forEach(it ->
            all.computeIfAbsent(it.getKey(), _ -> new HashMap<>())
                .put(it.getValue().getKey(), it.getValue().getValue()));
    return all;
  }

  private static Instant at(ResultSet row) throws SQLException {
    return row.getTimestamp("at").toInstant();
  }

  private static Window window(Window.Place place, ResultSet row) throws SQLException {
    return new Window(
        place,
        new Totals(
            counts(row.getArray("statuses")),
            row.getLong("aborted"),
            row.getLong("received_bytes"),
            row.getLong("sent_bytes"),
            row.getLong("answer_nanos"),
            counts(row.getArray("latencies"))),
        row.getLong("most_in_flight"));
  }

  private static Counts counts(Array array) throws SQLException {
    return Counts.of(Arrays.stream((Long[]) array.getArray()).mapToLong(Long::longValue));
  }

  /** Deletes what is older than it is kept; in the caller's transaction. */
  void forget(Handle tx, Instant now) {
    for (Window.Step step : Window.Step.values()) {
      // An hour of minutes more, for whoever asks for a day a moment later.
      tx.execute(FORGET, step.seconds(), now.minus(step.kept()).minus(Window.Step.HOUR.length()));
    }
  }
}
