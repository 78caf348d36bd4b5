package dev.slipway.build;

import java.time.Duration;

/**
 * Interrupts the thread that made it when its time is over, once, until it is closed. Whoever is
 * interrupted asks {@link #expired} why.
 */
final class TimeLimit implements AutoCloseable {
  private final Thread worker = Thread.currentThread();
  private final Thread watch;
  private boolean closed;
  private boolean expired;

  TimeLimit(Duration limit) {
    watch = Thread.ofVirtual().name("time limit of " + worker.getName()).start(() -> watch(limit));
  }

  synchronized boolean expired() {
    return expired;
  }

  /** After this the thread is not interrupted, nor was it by this: it has things to tidy up. */
  @Override
  public synchronized void close() {
    closed = true;
    watch.interrupt();
    if (expired) {
      Thread.interrupted();
    }
  }

  private void watch(Duration limit) {
    try {
      Thread.sleep(limit);
    } catch (InterruptedException inTime) {
      return;
    }
    synchronized (this) {
      if (!closed) {
        expired = true;
        worker.interrupt();
      }
    }
  }
}
