package dev.slipway.runlog;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Collects entries and writes them together: one transaction a batch, not one a line. A thread of
 * its own writes what has waited for {@value #MAX_WAIT_MILLIS} ms. A writer that is slower than the
 * program fills the buffer, and {@link #append} then waits: the build slows down, memory does not
 * grow.
 */
public final class LogBuffer implements LogSink, AutoCloseable {
  private static final int MAX_WAIT_MILLIS = 50;
  private static final int BATCH = 500;
  private static final int CAPACITY = 4 * BATCH;

  private final Consumer<List<LogEntry>> writer;
  private final List<LogEntry> waiting = new ArrayList<>();
  private final Object writing = new Object();
  private boolean closed;

  LogBuffer(Consumer<List<LogEntry>> writer) {
    this.writer = writer;
    // A platform thread: nothing may interrupt it in the middle of a write.
    Thread.ofPlatform().daemon().name("run-log").start(this::flushNowAndThen);
  }

  @Override
  public void append(LogEntry entry) {
    boolean full;
    synchronized (waiting) {
      waiting.add(entry);
      full = waiting.size() >= CAPACITY;
      waiting.notifyAll();
    }
    if (full) {
      flush();
    }
  }

  @Override
  public void flush() {
    // One writer at a time, or two batches could change places.
    synchronized (writing) {
      List<LogEntry> batch;
      do {
        synchronized (waiting) {
          batch = List.copyOf(waiting.subList(0, Math.min(BATCH, waiting.size())));
        }
        if (!batch.isEmpty()) {
          writer.accept(batch);
          synchronized (waiting) {
            waiting.subList(0, batch.size()).clear();
          }
        }
      } while (batch.size() == BATCH);
    }
  }

  /** Writes the rest and ends. */
  @Override
  public void close() {
    synchronized (waiting) {
      closed = true;
      waiting.notifyAll();
    }
    flush();
  }

  private void flushNowAndThen() {
    try {
      while (awaitEntries()) {
        Thread.sleep(MAX_WAIT_MILLIS);
        try {
          flush();
        } catch (RuntimeException storeIsAway) {
          // The entries are still waiting; whoever appends or closes meets the fault and handles
          // it.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether there is something to write; false once closed. */
  private boolean awaitEntries() throws InterruptedException {
    synchronized (waiting) {
      while (waiting.isEmpty() && !closed) {
        waiting.wait();
      }
      return !closed;
    }
  }
}
