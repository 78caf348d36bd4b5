package dev.slipway.dbproject;

import dev.slipway.core.Failure;
import dev.slipway.runlog.LogLevel;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** Whose deployments use databases. Every call is part of the transaction that it is given. */
public interface DatabaseListener {
  /** Nobody uses any database. */
  DatabaseListener NOBODY =
      new DatabaseListener() {
        @Override
        public void news(Handle tx, DatabaseProject database, LogLevel level, String sentence) {}

        @Override
        public boolean isAwaited(Handle tx, DatabaseProject database) {
          return false;
        }

        @Override
        public void ready(Handle tx, DatabaseProject database) {}

        @Override
        public void failed(Handle tx, DatabaseProject database, Failure failure) {}

        @Override
        public void changed(Handle tx, DatabaseProject database, Instant now) {}

        @Override
        public Following following(Handle tx, DatabaseProject database, Instant changedAt) {
          return new Following.Done();
        }
      };

  /** Something to read while it is being prepared, for those who wait for it. */
  void news(Handle tx, DatabaseProject database, LogLevel level, String sentence);

  /** Whether anybody still waits for it to be prepared. */
  boolean isAwaited(Handle tx, DatabaseProject database);

  /** It can be used: what waits for it goes on. */
  void ready(Handle tx, DatabaseProject database);

  /** It could not be prepared: what waits for it ends. */
  void failed(Handle tx, DatabaseProject database, Failure failure);

  /** Its place or its login has changed: what runs with the earlier ones is restarted. */
  void changed(Handle tx, DatabaseProject database, Instant now);

  /** How far that is. */
  Following following(Handle tx, DatabaseProject database, Instant changedAt);

  /** How far a change has come. */
  sealed interface Following {
    /** Something may still run with what was before. */
    record Underway() implements Following {}

    /** Nothing does any more. */
    record Done() implements Following {}

    /** Something does, and could not be restarted. */
    record Failed(Failure failure) implements Following {}
  }
}
