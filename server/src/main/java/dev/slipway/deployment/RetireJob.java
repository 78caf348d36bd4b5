package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.edge.EdgeServer;
import dev.slipway.edge.Routes;
import dev.slipway.instance.Instances;
import dev.slipway.job.Job;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * After a deployment was replaced: its instances leave the routes, finish what they are answering,
 * and are ended. Its address wakes it again.
 */
final class RetireJob implements Job {
  static final Kind KIND = new Kind("retire", Queue.CHORES);

  private final Instances instances;
  private final Routes routes;
  private final EdgeServer edge;
  private final Duration drain;

  /**
   * @param drain how long requests under way may go on, WebSockets and event streams included
   */
  RetireJob(Instances instances, Routes routes, EdgeServer edge, Duration drain) {
    this.instances = instances;
    this.routes = routes;
    this.edge = edge;
    this.drain = drain;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    retire(new DeploymentId(subjectId));
    return Outcome.DONE;
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
        withdrawn.stream().map(instance -> edge.drain(instance, drain)).toList();
    for (CompletableFuture<Boolean> each : drained) {
      await(each);
    }
    withdrawn.forEach(instances::end);
  }

  private static void await(CompletableFuture<Boolean> drained) throws InterruptedException {
    try {
      drained.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("draining never fails", e);
    }
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    instances.endAll(new DeploymentId(subjectId));
  }
}
