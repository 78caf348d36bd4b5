package dev.slipway.instance;

import dev.slipway.edge.Target;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Several starts side by side, a few at a time. */
final class Together {
  /** Programs need the most of processor and disk while they start. */
  private static final int AT_ONCE = 4;

  private Together() {}

  /**
   * Runs the starts; on the way out, however that is, those under way are interrupted, whereupon
   * each ends what it began.
   *
   * @param starts nothing comes of one that somebody else has ended
   * @param allOrNone whether the first that fails ends the others
   * @param answered is told of each instance that answers, on the caller's thread
   * @return the first that failed
   */
  static Optional<Started.Failed> start(
      List<Callable<Optional<Started>>> starts, boolean allOrNone, Consumer<Target> answered)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory());
    try {
      CompletionService<Optional<Started>> ended = new ExecutorCompletionService<>(pool);
      starts.forEach(ended::submit);
      Optional<Started.Failed> failure = Optional.empty();
      for (int i = 0; i < starts.size() && !(allOrNone && failure.isPresent()); i++) {
        switch (result(ended.take()).orElse(null)) {
          case Started.Healthy(Target target) -> answered.accept(target);
          case Started.Failed failed -> failure = failure.or(() -> Optional.of(failed));
          case null -> {}
        }
      }
      return failure;
    } finally {
      pool.shutdownNow();
      pool.close(); // waits until all of them have cleaned up
    }
  }

  private static Optional<Started> result(Future<Optional<Started>> ended)
      throws InterruptedException {
    try {
      return ended.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default ->
            throw new IllegalStateException("a start is not interrupted by itself", e);
      }
    }
  }
}
