package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.db.Notifications;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;

/**
 * The threads that work on deployments here, so that work on one that has been ended by somebody
 * else (superseded, canceled) is interrupted, wherever it runs. Thread-safe.
 */
final class RunningJobs {
  private static final String CHANNEL = "slipway_deployment_ended";

  private final Map<Phase, Thread> threads = new ConcurrentHashMap<>();

  RunningJobs(Notifications notifications) {
    // Work on a deployment that ended while the connection was away finds out at its next write.
    notifications.subscribe(CHANNEL, id -> interrupt(new DeploymentId(id)), () -> {});
  }

  /**
   * To be closed when the calling thread is done with this phase of the deployment; empty where
   * another thread here is in it: its lease was lost for a while, and it has not noticed yet. The
   * next phase may begin while the one before is still being closed.
   */
  Optional<Tracked> track(DeploymentId id, DeploymentStatus phase) {
    Phase key = new Phase(id, phase);
    return threads.putIfAbsent(key, Thread.currentThread()) == null
        ? Optional.of(() -> threads.remove(key))
        : Optional.empty();
  }

  /** Tells all replicas, at the commit of the caller's transaction. */
  static void ended(Handle tx, DeploymentId id) {
    Notifications.notify(tx, CHANNEL, id.value());
  }

  private void interrupt(DeploymentId id) {
    for (Phase phase : threads.keySet()) {
      if (phase.id().equals(id)) {
        threads.computeIfPresent(
            phase,
            (key, thread) -> {
              thread.interrupt();
              return thread;
            });
      }
    }
  }

  private record Phase(DeploymentId id, DeploymentStatus status) {}

  /** Ends the tracking; after it no interruption comes. */
  interface Tracked extends AutoCloseable {
    @Override
    void close();
  }
}
