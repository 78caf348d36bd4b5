package dev.slipway.source.git;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs work that blocks on sockets so that interrupting the caller ends it at once. */
final class Interruptible {
  private Interruptible() {}

  interface IoWork<T> {
    T call() throws IOException;
  }

  /**
   * Runs the work on a virtual thread, as an interrupt there closes the socket that it waits on.
   * When the caller is interrupted the work is too; the caller goes on once it has ended.
   *
   * @throws CancellationException on interruption; the caller's interrupt status stays set
   */
  static <T> T call(IoWork<T> work) throws IOException {
    // Closing the executor waits for the work, so nothing of it is left when this returns.
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        return executor.submit(work::call).get();
      } catch (InterruptedException e) {
        executor.shutdownNow();
        Thread.currentThread().interrupt();
        CancellationException canceled = new CancellationException("fetching was interrupted");
        canceled.initCause(e);
        throw canceled;
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failure) {
          throw failure;
        }
        if (e.getCause() instanceof RuntimeException failure) {
          throw failure;
        }
        throw new IllegalStateException(e);
      }
    }
  }
}
