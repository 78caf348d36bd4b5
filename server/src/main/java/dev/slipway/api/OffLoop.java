package dev.slipway.api;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Takes work that may block to a virtual thread of its own, and its result back to the event loop.
 */
public final class OffLoop {
  private final Vertx vertx;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  public OffLoop(Vertx vertx) {
    this.vertx = vertx;
  }

  /** What either of the two throws becomes the failure of the request. */
  public <T> void run(RoutingContext context, Callable<T> work, Consumer<T> then) {
    Context loop = vertx.getOrCreateContext();
    threads.execute(() -> {
      try {
        T result = work.call();
        loop.runOnContext(none -> accept(context, result, then));
      } catch (Exception | StackOverflowError | OutOfMemoryError e) {
        loop.runOnContext(none -> context.fail(e));
      }
    });
  }

  /** What nobody waits for, and what fails alone. */
  public void run(Runnable work) {
    threads.execute(work);
  }

  private static <T> void accept(RoutingContext context, T result, Consumer<T> then) {
    try {
      then.accept(result);
    } catch (RuntimeException e) {
      context.fail(e);
    }
  }
}
