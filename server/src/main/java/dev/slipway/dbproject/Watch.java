package dev.slipway.dbproject;

import dev.slipway.core.AppFailure;
import dev.slipway.core.TransientException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Ends long work soon after nobody wants it any more: looks every second, beside it. */
final class Watch {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final Thread worker = Thread.currentThread();
  private final BooleanSupplier wanted;
  private final CountDownLatch done = new CountDownLatch(1);
  private boolean ended; // like the interruption guarded by this

  private Watch(BooleanSupplier wanted) {
    this.wanted = wanted;
  }

  /** Ends where its thread is interrupted. */
  @FunctionalInterface
  interface Work {
    void run() throws InterruptedException;
  }

  /**
   * Works on the calling thread.
   *
   * @param wanted asked on another thread; a {@link TransientException} is no answer
   * @return false where the work was ended because it is not wanted
   * @throws InterruptedException where somebody else interrupts
   */
  static boolean over(BooleanSupplier wanted, Work work) throws InterruptedException {
    Watch watch = new Watch(wanted);
    Thread.ofVirtual().name("watch").start(watch::look);
    try {
      work.run();
    } catch (InterruptedException | AppFailure e) {
      // Programs that were ended may look as if they had failed.
      if (!watch.close()) {
        throw e;
      }
    } finally {
      var _ = watch.close();
    }
    return !watch.close();
  }

  private void look() {
    try {
      while (!done.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!isWanted()) {
          end();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does
    }
  }

  private boolean isWanted() {
    try {
      return wanted.getAsBoolean();
    } catch (TransientException e) {
      return true;
    }
  }

  private synchronized void end() {
    if (done.getCount() > 0) {
      ended = true;
      worker.interrupt();
    }
  }

  /** No interruption comes from here after this; true where one has. */
  private synchronized boolean close() {
    done.countDown();
    if (ended) {
      Thread.interrupted();
    }
    return ended;
  }
}
