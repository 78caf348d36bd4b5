package dev.slipway.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** How long the API takes to answer, asked {@value #PER_SECOND} times a second. */
final class Answers {
  private static final int PER_SECOND = 50;
  private static final int IDLE_REQUESTS = 500;

  private final Api api;
  private final String migration;

  /**
   * @param migration that is read
   */
  Answers(Api api, String migration) {
    this.api = api;
    this.migration = migration;
  }

  /** Work that takes seconds. */
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** While nothing else is asked for. */
  Series idle() throws IOException, InterruptedException {
    Series times = new Series();
    for (int i = 0; i < IDLE_REQUESTS; i++) {
      ask(times);
    }
    return times;
  }

  /** While the work is done. */
  Series during(Work work) throws IOException, InterruptedException {
    Series times = new Series();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> done =
          threads.submit(() -> {
            work.run();
            return times;
          });
      while (!done.isDone()) {
        ask(times);
      }
      done.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the work failed", e);
    }
    return times;
  }

  private void ask(Series times) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    api.migration(migration);
    long nanos = System.nanoTime() - begin;
    times.add(Duration.ofNanos(nanos));
    LockSupport.parkNanos(Math.max(0, Duration.ofSeconds(1).toNanos() / PER_SECOND - nanos));
  }
}
