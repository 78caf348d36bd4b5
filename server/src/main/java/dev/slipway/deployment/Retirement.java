package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Traffic;
import dev.slipway.instance.Instances;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * Ends instances that nobody shall reach any more: they leave the routes, finish what they are
 * answering, and are ended. Thread-safe.
 */
final class Retirement {
  private final Instances instances;
  private final Routes routes;
  private final Traffic traffic;
  private final Duration drain;
  private final ConcurrentHashMap<InstanceId, CompletableFuture<Void>> ending =
      new ConcurrentHashMap<>();

  /**
   * @param drain how long requests under way may go on, WebSockets and event streams included
   */
  Retirement(Instances instances, Routes routes, Traffic traffic, Duration drain) {
    this.instances = instances;
    this.routes = routes;
    this.traffic = traffic;
    this.drain = drain;
  }

  /** Takes the deployment's instances out of traffic, drains and ends them. */
  void retire(DeploymentId id) throws InterruptedException {
    retire(Set.of(id));
  }

  /** Takes the instances of all these out of traffic, drains and ends them together. */
  void retire(Set<DeploymentId> ids) throws InterruptedException {
    drain(
        routes.changing(
            tx -> ids.stream().flatMap(id -> instances.withdraw(tx, id).stream()).toList()));
  }

  /** Waits until instances that no route leads to have answered their last requests; ends them. */
  void drain(Collection<InstanceId> withdrawn) throws InterruptedException {
    List<CompletableFuture<Boolean>> drained =
        withdrawn.stream().map(instance -> traffic.drain(instance, drain)).toList();
    for (CompletableFuture<Boolean> each : drained) {
      await(each);
    }
    end(withdrawn);
  }

  /** Together: each that does not heed the request to end takes its time. */
  private void end(Collection<InstanceId> drained) {
    try {
      CompletableFuture.allOf(drained.stream().map(this::end).toArray(CompletableFuture[]::new))
          .join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Once, also where two jobs are about it: after a crash that of before and a drain. */
  private CompletableFuture<Void> end(InstanceId id) {
    CompletableFuture<Void> end =
        ending.computeIfAbsent(
            id,
            _ -> CompletableFuture.runAsync(() -> instances.end(id), Thread::startVirtualThread));
    return end.whenComplete((_, _) -> ending.remove(id, end));
  }

  private static void await(CompletableFuture<Boolean> drained) throws InterruptedException {
    try {
      drained.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("draining never fails", e);
    }
  }
}
