package dev.slipway.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Runs the same work on several threads, and waits for all of it. */
public final class AtOnce {
  private static final int MAX_THREADS = 16;

  private AtOnce() {}

  /**
   * @return what each of the {@code times} runs returned
   * @throws Exception what the first one threw that failed
   */
  public static <T> List<T> run(int times, Callable<T> task) throws Exception {
    return run(Collections.nCopies(times, task));
  }

  /** The same work on each of the subjects; the results are in their order. */
  public static <S, T> List<T> each(List<S> subjects, Function<S, T> work) throws Exception {
    return run(subjects.stream().<Callable<T>>map(each -> () -> work.apply(each)).toList());
  }

  private static <T> List<T> run(List<Callable<T>> tasks) throws Exception {
    try (ExecutorService threads =
        Executors.newFixedThreadPool(Math.min(MAX_THREADS, tasks.size()))) {
      List<T> results = new ArrayList<>();
      for (Future<T> done : threads.invokeAll(tasks)) {
        results.add(result(done));
      }
      return results;
    }
  }

  private static <T> T result(Future<T> done) throws Exception {
    try {
      return done.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case Exception cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw e;
      }
    }
  }
}
