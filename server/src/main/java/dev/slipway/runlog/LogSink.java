package dev.slipway.runlog;

/** Takes the entries of one log in order and keeps them; see {@link RunLog}. Thread-safe. */
public interface LogSink {
  /** Accepts an entry; it may be written a little later, together with its neighbours. */
  void append(LogEntry entry);

  /** Returns when everything accepted so far is durable. */
  void flush();
}
