package dev.slipway;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started, in the order of the start; ended in the reverse order. */
final class Lifetime implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Lifetime.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  <T extends AutoCloseable> T closing(T part) {
    started.push(part);
    return part;
  }

  @Override
  public synchronized void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        log.error("a part of the server could not be ended", e);
      }
    }
  }
}
