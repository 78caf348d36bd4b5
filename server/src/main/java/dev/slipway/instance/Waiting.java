package dev.slipway.instance;

import dev.slipway.edge.Health;
import dev.slipway.edge.HealthCheck;
import dev.slipway.edge.Probe;
import dev.slipway.edge.Target;
import dev.slipway.runtime.AppRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Waits until a program answers, has ended, or has had its time. Thread-safe; calls block. */
final class Waiting {
  static final int LAST_LINES = 100;

  private final AppRuntime runtime;
  private final HealthCheck healthCheck;
  private final Patience patience;

  Waiting(AppRuntime runtime, HealthCheck healthCheck, Patience patience) {
    this.runtime = runtime;
    this.healthCheck = healthCheck;
    this.patience = patience;
  }

  /** One of the two ways to wait. */
  @FunctionalInterface
  interface Way {
    Health await(Launch launch, Target target) throws InterruptedException;
  }

  /**
   * For a program that has answered before: what keeps it from it now is outside, and may pass, so
   * that it has all of its time.
   */
  Health patiently(Launch launch, Target target) throws InterruptedException {
    return result(
        healthCheck.await(
            target, launch.healthCheckPath(), patience.limit(), runtime.exit(target.instance())));
  }

  /**
   * For a program that nobody has seen answer: what it does instead is told to {@code news}, and it
   * is given up when it is clear that it will not.
   */
  Health watching(Launch launch, Target target, Consumer<String> news) throws InterruptedException {
    Queue<Probe> tries = new ConcurrentLinkedQueue<>();
    CompletableFuture<Void> givenUp = new CompletableFuture<>();
    CompletableFuture<Health> health =
        healthCheck.await(
            target,
            launch.healthCheckPath(),
            patience.limit(),
            runtime.exit(target.instance()),
            givenUp,
            tries::add);
    watch(launch, target, health, tries, news);
    givenUp.complete(null);
    return result(health);
  }

  /** Returns when the check has come to something, or will not. */
  private void watch(
      Launch launch,
      Target target,
      CompletableFuture<Health> health,
      Queue<Probe> tries,
      Consumer<String> news)
      throws InterruptedException {
    Outlook outlook = new Outlook(patience);
    long begunNanos = System.nanoTime();
    Sight asked = new Sight.Unclear();
    while (!done(health)) {
      Sight sight = sight(launch, target, drained(tries), outlook.sight());
      outlook.look(
          Duration.ofNanos(System.nanoTime() - begunNanos),
          sight,
          runtime.output(target.instance(), LAST_LINES));
      if (outlook.worthTelling()) {
        news.accept(
            "%s. Waiting for that to change, %d s at most."
                .formatted(sight.sentence(), patience.limit().toSeconds()));
      }
      switch (outlook.prospect()) {
        case OPEN -> {}
        case DOUBTFUL -> {
          if (!sight.equals(asked) && isApplication(sight, launch)) {
            return;
          }
          asked = sight;
        }
        case NONE -> {
          return;
        }
      }
    }
  }

  private Sight sight(Launch launch, Target target, List<Probe> tries, Sight before) {
    if (tries.isEmpty() && before instanceof Sight.Fault) {
      return before; // it takes its time for the next one
    }
    return Sight.of(
        tries, runtime.ports(target.instance()), target.port(), launch.healthCheckPath());
  }

  private static boolean isApplication(Sight sight, Launch launch) throws InterruptedException {
    return sight instanceof Sight.Elsewhere elsewhere
        && OtherPort.isApplication(elsewhere.ports(), launch.healthCheckPath());
  }

  private boolean done(CompletableFuture<Health> health) throws InterruptedException {
    try {
      health.get(patience.look().toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a health check never fails", e);
    }
  }

  private static Health result(CompletableFuture<Health> health) throws InterruptedException {
    try {
      return health.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a health check never fails", e);
    }
  }

  private static List<Probe> drained(Queue<Probe> tries) {
    List<Probe> all = new ArrayList<>();
    for (Probe probe = tries.poll(); probe != null; probe = tries.poll()) {
      all.add(probe);
    }
    return all;
  }
}
