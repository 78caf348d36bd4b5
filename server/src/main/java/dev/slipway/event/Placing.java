package dev.slipway.event;

import dev.slipway.core.TransientException;
import dev.slipway.db.Notifications;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives events their places as soon as they are committed. Each server has one; whoever comes first
 * places what there is.
 */
public final class Placing implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Placing.class);
  private static final int BATCH = 500;

  /** Where no word came of something that was written. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  private final Events events;
  private final Semaphore written = new Semaphore(0);
  private volatile boolean closed;
  private final Thread thread = Thread.ofVirtual().name("places of events").unstarted(this::run);

  public Placing(Events events) {
    this.events = events;
  }

  /** Also places what was written before this server was there. */
  public Placing start(Notifications notifications) {
    notifications.subscribe(Events.WRITTEN, _ -> written.release(), written::release);
    thread.start();
    return this;
  }

  private void run() {
    try {
      while (!closed) {
        written.drainPermits();
        placeAll();
        var _ = written.tryAcquire(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  private void placeAll() {
    try {
      while (events.place(BATCH) == BATCH) {
        // The next ones, in a transaction of their own.
      }
    } catch (TransientException e) {
      log.warn("events wait for their places: {}", e.toString());
    } catch (RuntimeException e) {
      log.error("events could not be given places; tried again", e);
    }
  }

  /** What is being placed has its places when this returns. */
  @Override
  public void close() {
    closed = true;
    written.release();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
