package dev.slipway.api;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of bodies may be in memory at a time, of all requests together. Thread-safe. */
final class BodyBudget {
  private final AtomicLong left;

  BodyBudget(long bytes) {
    this.left = new AtomicLong(bytes);
  }

  /** What one request has of it. */
  Share share() {
    return new Share();
  }

  final class Share {
    private long taken;
    private boolean closed;

    /**
     * Takes so many bytes more.
     *
     * @return whether there were as many; none are taken otherwise, and none after the end
     */
    synchronized boolean take(int bytes) {
      if (closed) {
        return false;
      }
      if (left.addAndGet(-bytes) < 0) {
        left.addAndGet(bytes);
        return false;
      }
      taken += bytes;
      return true;
    }

    /** Gives all of them back; the second time does nothing. */
    synchronized void close() {
      if (!closed) {
        closed = true;
        left.addAndGet(taken);
      }
    }
  }
}
