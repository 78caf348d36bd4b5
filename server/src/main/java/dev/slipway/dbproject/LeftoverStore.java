package dev.slipway.dbproject;

import dev.slipway.core.DatabaseId;
import dev.slipway.database.DatabaseType;
import dev.slipway.job.Jobs;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Rows of what is on servers beside the databases of projects. Every call runs in the caller's
 * transaction; what is doomed there is dropped soon after it.
 */
public final class LeftoverStore {
  private static final String PUT =
      """
      INSERT INTO database_leftover (name, login, database_id, type, server, state)
      VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (name, login) DO UPDATE SET state = excluded.state
      """;

  private static final String DOOM =
      """
      UPDATE database_leftover SET state = 'DOOMED' WHERE database_id = ? AND state = ?
      RETURNING *
      """;

  private static final String FIND =
      "SELECT * FROM database_leftover WHERE name || '/' || login = ?";

  private static final String DOOMED = "SELECT * FROM database_leftover WHERE state = 'DOOMED'";

  // With a database its logins are gone.
  private static final String DELETE =
      "DELETE FROM database_leftover WHERE name = ? AND (login = ? OR ? = '')";

  void put(Handle tx, Leftover leftover, Instant now) {
    tx.execute(
        PUT,
        leftover.name(),
        leftover.login(),
        leftover.owner().value(),
        leftover.type().name(),
        leftover.server(),
        leftover.state().name());
    if (leftover.state() == Leftover.State.DOOMED) {
      sweep(tx, leftover, now);
    }
  }

  /** Dooms those of a database that are in that state. */
  void doom(Handle tx, DatabaseId owner, Leftover.State state, Instant now) {
    tx.createQuery(DOOM)
        .bind(0, owner.value())
        .bind(1, state.name())
        .map((row, context) -> leftover(row))
        .list()
        .forEach(doomed -> sweep(tx, doomed, now));
  }

  /** Sees to all that are doomed. */
  void sweepAll(Handle tx, Instant now) {
    tx.createQuery(DOOMED)
        .map((row, context) -> leftover(row))
        .list()
        .forEach(doomed -> sweep(tx, doomed, now));
  }

  private static void sweep(Handle tx, Leftover doomed, Instant now) {
    Jobs.schedule(tx, SweepJob.KIND, subject(doomed), now);
  }

  private static String subject(Leftover leftover) {
    return leftover.name() + "/" + leftover.login();
  }

  /** What a job's subject names. */
  Optional<Leftover> find(Handle tx, String subject) {
    return tx.createQuery(FIND).bind(0, subject).map((row, context) -> leftover(row)).findOne();
  }

  /** It is put to use, or gone. */
  void delete(Handle tx, Leftover leftover) {
    tx.execute(DELETE, leftover.name(), leftover.login(), leftover.login());
  }

  private static Leftover leftover(ResultSet row) throws SQLException {
    return new Leftover(
        new DatabaseId(row.getString("database_id")),
        DatabaseType.valueOf(row.getString("type")),
        row.getString("server"),
        row.getString("name"),
        row.getString("login"),
        Leftover.State.valueOf(row.getString("state")));
  }
}
