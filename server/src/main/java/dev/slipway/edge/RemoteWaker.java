package dev.slipway.edge;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.FailureCode;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Has another process start what a request asks for, by notifications of the store ({@link
 * WakeCalls} hears them). A call is repeated until it is answered, as whoever should hear it may
 * just be starting. Thread-safe; does not block.
 */
public final class RemoteWaker implements Waker, AutoCloseable {
  private static final Duration BETWEEN_CALLS = Duration.ofSeconds(1);

  /** Longer than any request waits. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Database database;
  private final ConcurrentHashMap<DeploymentId, CompletableFuture<Target>> waiting =
      new ConcurrentHashMap<>();
  private final ScheduledExecutorService caller =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("waker").factory());
  private volatile boolean connected;

  public RemoteWaker(Database database) {
    this.database = database;
  }

  /** Begins to hear answers. */
  public void listen(Notifications notifications) {
    notifications.subscribe(
        Woken.ANSWERS, text -> Woken.parse(text).ifPresent(this::answered), () -> connected = true);
  }

  /** No answer can come: whoever waits is told, and whoever asks until there is a store again. */
  public void storeAway() {
    connected = false;
    waiting.values().forEach(it -> it.completeExceptionally(away()));
  }

  @Override
  public CompletableFuture<Target> wake(DeploymentId deployment) {
    if (!connected) {
      return CompletableFuture.failedFuture(away());
    }
    CompletableFuture<Target> fresh = new CompletableFuture<>();
    CompletableFuture<Target> asked = waiting.putIfAbsent(deployment, fresh);
    if (asked != null) {
      return asked;
    }
    long begunNanos = System.nanoTime();
    caller.execute(() -> call(deployment, fresh, begunNanos));
    return fresh.whenComplete((_, _) -> waiting.remove(deployment, fresh));
  }

  private void call(DeploymentId deployment, CompletableFuture<Target> answer, long begunNanos) {
    if (answer.isDone()) {
      return;
    }
    if (System.nanoTime() - begunNanos > LIMIT.toNanos()) {
      answer.completeExceptionally(new TransientException("nobody answers"));
      return;
    }
    try {
      database.useTransaction(tx -> Notifications.notify(tx, Woken.CALLS, deployment.value()));
      var _ =
          caller.schedule(
              () -> call(deployment, answer, begunNanos),
              BETWEEN_CALLS.toMillis(),
              TimeUnit.MILLISECONDS);
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  private void answered(Woken woken) {
    CompletableFuture<Target> answer = waiting.get(woken.deployment());
    if (answer == null) {
      return; // of another edge's call
    }
    switch (woken.outcome()) {
      case STARTED -> woken.target().ifPresent(answer::complete);
      case FAILED ->
          answer.completeExceptionally(
              new AppFailure(FailureCode.START_FAILED, "It could not be started."));
      case CRASHING -> answer.completeExceptionally(new Crashing());
      case UNKNOWN -> answer.completeExceptionally(new TransientException("not now"));
    }
  }

  private static TransientException away() {
    return new TransientException("the store does not answer");
  }

  @Override
  public void close() {
    caller.shutdownNow();
  }
}
