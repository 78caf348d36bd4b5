package dev.slipway.dbproject;

import dev.slipway.database.DatabaseServer;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Makes databases and logins on servers, each of them a leftover until it is put to use. */
final class Making {
  private final Database database;
  private final DatabaseStore store;
  private final LeftoverStore leftovers;
  private final Servers servers;
  private final Clock clock;

  Making(
      Database database,
      DatabaseStore store,
      LeftoverStore leftovers,
      Servers servers,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.leftovers = leftovers;
    this.servers = servers;
    this.clock = clock;
  }

  /** An empty database; empty where the run was overtaken. */
  Optional<Physical> database(Run run) {
    DatabaseServer server = Servers.patiently(() -> servers.forNew(run.project().type()));
    Physical planned = Physical.next(run.project().type(), server.id(), run.attempt());
    return make(
        run,
        planned,
        Leftover.of(run.id(), planned, Leftover.State.MADE),
        () -> server.create(planned.name(), planned.login()));
  }

  /** A further login of that database; empty where the run was overtaken. */
  Optional<Physical> login(Run run, Physical present) {
    DatabaseServer server =
        Servers.patiently(() -> servers.known(present.type(), present.server()));
    Physical planned = present.withLogin(run.attempt());
    return make(
        run,
        planned,
        Leftover.login(run.id(), planned, Leftover.State.MADE),
        () -> server.addLogin(planned.name(), planned.login()));
  }

  private Optional<Physical> make(Run run, Physical planned, Leftover leftover, Runnable making) {
    if (!put(run, leftover, true)) {
      return Optional.empty();
    }
    Servers.patiently(() -> {
      making.run();
      return planned;
    });
    // Whoever overtook this run may have looked for its leftover before there was anything.
    Leftover doomed = leftover.doomed();
    return put(run, doomed, false) ? Optional.empty() : Optional.of(planned);
  }

  /**
   * Writes it down if the run is current, or if it is not.
   *
   * @return whether it was written
   */
  private boolean put(Run run, Leftover leftover, boolean current) {
    return database.inTransaction(tx -> {
      boolean wanted = store.hold(tx, run) == current;
      if (wanted) {
        leftovers.put(tx, leftover, clock.instant());
      }
      return wanted;
    });
  }

  /** Programs get this database from now on; the run holds the row. */
  void use(Handle tx, Run run, Physical made, Instant now) {
    store.use(tx, run.id(), made, now);
    leftovers.delete(tx, Leftover.of(run.id(), made, Leftover.State.MADE));
  }

  /** Programs get this login from now on; the run holds the row. */
  void useLogin(Handle tx, Run run, Physical made, Instant now) {
    store.use(tx, run.id(), made, now);
    leftovers.delete(tx, Leftover.login(run.id(), made, Leftover.State.MADE));
  }
}
