package dev.slipway.event;

import dev.slipway.core.AccountId;
import dev.slipway.core.EventId;
import dev.slipway.core.ProjectId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Rows of events. Every call runs in the caller's transaction. */
final class EventStore {
  private static final String NEXT_SEQUENCE =
      """
      INSERT INTO event_sequence AS s (resource, project_id, last) VALUES (?, ?, 1)
          ON CONFLICT (resource) DO UPDATE SET last = s.last + 1
      RETURNING last
      """;

  private static final String INSERT =
      """
      INSERT INTO event (id, account_id, project_id, type, resource, sequence, body, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String HOLD_PLACES = "SELECT last FROM event_place FOR UPDATE";

  // What is seen here was committed. Of one resource an event is written after the commit of the
  // one before it, as both hold the resource's row: by `written` they are in order.
  private static final String PLACE =
      """
      UPDATE event e SET place = :last + unplaced.number
        FROM (SELECT id, row_number() OVER (ORDER BY written) AS number
                FROM event
               WHERE place IS NULL
               ORDER BY written LIMIT :limit) unplaced
       WHERE e.id = unplaced.id
      RETURNING e.*
      """;

  private static final String PLACES_GIVEN = "UPDATE event_place SET last = last + ?";

  // Only the conditions that a request names, so that each is the scan of one index.
  private static final String READ =
      """
      SELECT * FROM event
       WHERE %s AND place %s :place
       ORDER BY place %s LIMIT :limit
      """;

  private static final String PLACE_OF =
      "SELECT place FROM event WHERE id = ? AND account_id = ? AND place IS NOT NULL";

  private static final String LAST_PLACE = "SELECT last FROM event_place";

  private static final String DELETE_OLD =
      """
      DELETE FROM event WHERE id IN (
        SELECT id FROM event WHERE at < ? AND place IS NOT NULL ORDER BY at LIMIT ?)
      """;

  /** An event with its place among all. */
  record Placed(long place, Event event) {}

  /** Which events of an account. */
  record Filter(AccountId account, Optional<ProjectId> project) {}

  long nextSequence(Handle tx, String resource, ProjectId project) {
    return tx.createQuery(NEXT_SEQUENCE)
        .bind(0, resource)
        .bind(1, project.value())
        .mapTo(Long.class)
        .one();
  }

  void insert(Handle tx, Event event) {
    tx.execute(
        INSERT,
        event.id().value(),
        event.accountId().value(),
        event.projectId().value(),
        event.type().name(),
        event.resource(),
        event.sequence(),
        event.body(),
        event.at());
  }

  /** Gives at most {@code limit} events their places, in their order; answers them. */
  List<Placed> place(Handle tx, int limit) {
    long last = tx.createQuery(HOLD_PLACES).mapTo(Long.class).one();
    List<Placed> placed =
        tx
            .createQuery(PLACE)
            .bind("last", last)
            .bind("limit", limit)
            .map((row, _) -> placed(row))
            .list()
            .stream()
            .sorted(Comparator.comparingLong(Placed::place))
            .toList();
    if (!placed.isEmpty()) {
      tx.execute(PLACES_GIVEN, placed.size());
    }
    return placed;
  }

  /** Those behind a place, the oldest first. */
  List<Placed> after(Handle tx, Filter filter, long place, int limit) {
    return read(tx, READ.formatted(condition(filter), ">", ""), filter, place, limit);
  }

  /** Those in front of a place, the newest first. */
  List<Placed> before(Handle tx, Filter filter, long place, int limit) {
    return read(tx, READ.formatted(condition(filter), "<", "DESC"), filter, place, limit);
  }

  private static String condition(Filter filter) {
    return filter.project().isPresent() ? "project_id = :owner" : "account_id = :owner";
  }

  private static List<Placed> read(Handle tx, String sql, Filter filter, long place, int limit) {
    Query query = tx.createQuery(sql);
    query.bind("owner", filter.project().map(ProjectId::value).orElseGet(filter.account()::value));
    return query.bind("place", place).bind("limit", limit).map((row, _) -> placed(row)).list();
  }

  Optional<Long> placeOf(Handle tx, AccountId account, EventId id) {
    return tx.createQuery(PLACE_OF)
        .bind(0, id.value())
        .bind(1, account.value())
        .mapTo(Long.class)
        .findOne();
  }

  long lastPlace(Handle tx) {
    return tx.createQuery(LAST_PLACE).mapTo(Long.class).one();
  }

  /** Deletes at most {@code limit}; answers how many. */
  int deleteOld(Handle tx, Instant before, int limit) {
    return tx.execute(DELETE_OLD, before, limit);
  }

  private static Placed placed(ResultSet row) throws SQLException {
    return new Placed(
        row.getLong("place"),
        new Event(
            new EventId(row.getString("id")),
            new AccountId(row.getString("account_id")),
            new ProjectId(row.getString("project_id")),
            EventType.valueOf(row.getString("type")),
            row.getString("resource"),
            row.getLong("sequence"),
            row.getString("body"),
            row.getTimestamp("at").toInstant()));
  }
}
