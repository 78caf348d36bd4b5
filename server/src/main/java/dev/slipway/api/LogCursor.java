package dev.slipway.api;

import dev.slipway.core.InstanceId;
import dev.slipway.runlog.LogEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A place in a log that moves on as it is read. For one thread. */
interface LogCursor {
  /**
   * @param id resumes a stream after this entry
   * @param instance that printed it, where one did
   */
  record Line(String id, LogEntry entry, Optional<InstanceId> instance) {}

  /** At most {@code limit} entries after the place, which moves behind them. */
  List<Line> next(int limit);

  /** The place as a number: {@code after} of the next page. */
  long place();

  /** No more entries than this are there now: who reads the whole does not run after a writer. */
  long left();

  /** Whether the last {@link #next} left entries that were there already. */
  boolean moreNow();

  /** Whether entries may come after those that the next {@link #next} finds; asked before it. */
  boolean mayGrow();

  /** Calls {@code onChange} soon after each change, until it is closed. */
  EventStreams.Watch watch(Runnable onChange);

  /** How long to wait for a change before looking again. */
  Duration patience();
}
