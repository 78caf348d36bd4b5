package dev.slipway.edge;

import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps an edge in step with the store: the whole table again after every change. Thread-safe. */
public final class Routes {
  private static final Logger log = LoggerFactory.getLogger(Routes.class);

  private final Database database;
  private final RouteStore store;
  private volatile Optional<Edge> edge = Optional.empty();
  // The edge may have a table that was never committed.
  private volatile boolean doubtful;

  public Routes(Database database, RouteStore store) {
    this.database = database;
    this.store = store;
  }

  /** Who takes the tables. */
  public void feed(Edge taker) {
    edge = Optional.of(taker);
  }

  /** What serves by the tables. */
  public interface Edge {
    /** Takes a table, unless it is older than the present one. */
    void apply(RouteTable table);

    /** Takes a table, whatever the present one is. */
    void reset(RouteTable table);
  }

  /** Follows changes made by others. */
  public void follow(Notifications notifications) {
    notifications.subscribe(RouteStore.CHANNEL, payload -> tryRefresh(), this::tryRefresh);
  }

  /**
   * The same for a process that changes none itself. After each connect the store's table counts
   * whatever the one before was: the store may have been restored from a backup, and this process
   * have begun with a table from its own disk.
   */
  public void mirror(Notifications notifications) {
    notifications.subscribe(
        RouteStore.CHANNEL,
        payload -> mirrorOnce(),
        () -> {
          doubtful = true;
          mirrorOnce();
        });
  }

  /** Whatever keeps the store from being read, such as a schema in the making, is tried again. */
  private void mirrorOnce() {
    try {
      refresh();
    } catch (RuntimeException e) {
      throw new TransientException("routes could not be read: " + e.getMessage(), e);
    }
  }

  /**
   * Runs a transaction that may change routes. The edge here takes the new table right before the
   * commit: whoever sees the change in the store, a client that polls for {@code live}, meets it at
   * the edge too. Where the commit fails the edge goes back.
   */
  public <T> T changing(Function<Handle, T> work) {
    try {
      return database.inTransaction(tx -> {
        // Where this is part of a larger transaction, that one may still fail.
        tx.afterRollback(() -> database.afterwards(this::distrust));
        T result = work.apply(tx);
        // Last: this orders all that change a route, and nobody reads half a change.
        store.changed(tx);
        RouteTable table = store.load(tx);
        edge.ifPresent(server -> server.apply(table));
        return result;
      });
    } catch (RuntimeException e) {
      database.afterwards(this::distrust);
      throw e;
    }
  }

  /**
   * Has every edge read the table again after the commit of a transaction that is not {@link
   * #changing} and turned out to change a route. To be called late: it orders all that do.
   */
  public void changed(Handle tx) {
    store.changed(tx);
  }

  private void distrust() {
    doubtful = true;
    tryRefresh();
  }

  /** Returns when the edge has taken the newest table. */
  public synchronized void refresh() {
    boolean reset = doubtful;
    RouteTable table =
        database.readCommitted(
            tx -> tx.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, store::load));
    if (reset) {
      edge.ifPresent(server -> server.reset(table));
      doubtful = false;
    } else {
      edge.ifPresent(server -> server.apply(table));
    }
  }

  /** {@link #refresh}, also where the store's table is older: it may be one from a backup. */
  public synchronized void reread() {
    doubtful = true;
    refresh();
  }

  private void tryRefresh() {
    try {
      refresh();
    } catch (TransientException e) {
      // The edge serves what it knows; the next connection to the store reads the table again.
      log.warn("routes could not be read: {}", e.toString());
    }
  }
}
