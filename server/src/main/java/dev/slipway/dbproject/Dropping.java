package dev.slipway.dbproject;

import dev.slipway.core.DatabaseId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/** The end of a database: its row stays, for its backups; what is on the server goes soon after. */
final class Dropping {
  /** For how long after the end. */
  static final Duration BACKUPS_STAY = Duration.ofDays(30);

  private static final Failure DROPPED =
      new Failure(FailureCode.DATABASE_UNREACHABLE, "The database was dropped.");

  private final DatabaseStore store;
  private final LeftoverStore leftovers;
  private final BackupStore backups;
  private final Supplier<DatabaseListener> listener;
  private final Clock clock;

  Dropping(
      DatabaseStore store,
      LeftoverStore leftovers,
      BackupStore backups,
      Supplier<DatabaseListener> listener,
      Clock clock) {
    this.store = store;
    this.leftovers = leftovers;
    this.backups = backups;
    this.listener = listener;
    this.clock = clock;
  }

  /** One whose row the transaction has locked; whatever is being done with it ends. */
  void drop(Handle tx, DatabaseId id) {
    Instant now = clock.instant();
    DatabaseStatus before = store.find(tx, id).orElseThrow().status();
    Optional<Physical> present = store.physical(tx, id);
    present.ifPresent(it -> leftovers.put(tx, Leftover.of(id, it, Leftover.State.DOOMED), now));
    leftovers.doom(tx, id, Leftover.State.MADE, now);
    leftovers.doom(tx, id, Leftover.State.REPLACED, now);
    store.drop(tx, id, now);
    backups.keep(tx, id, now.plus(BACKUPS_STAY));
    if (isAwaited(before, present.isPresent())) {
      listener.get().failed(tx, store.find(tx, id).orElseThrow(), DROPPED);
    }
  }

  private static boolean isAwaited(DatabaseStatus status, boolean there) {
    return switch (status) {
      case PREPARING -> true;
      case RESTORING -> !there;
      case READY, FAILED, ROTATING, DROPPING, DROPPED -> false;
    };
  }
}
