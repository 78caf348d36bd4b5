package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What is under way at instances, at every edge that leads to them, and how edges let go of one.
 * Thread-safe; calls may wait for moments, so not inside a transaction.
 */
public interface Traffic {
  /**
   * How long ago the last request to each of these ended; nothing while one is under way, and where
   * that cannot be said.
   */
  Map<InstanceId, Duration> idle(Collection<InstanceId> instances);

  /**
   * Lets no further request go to any of these instances, if nothing is under way there, WebSockets
   * and event streams included, and nothing was for so long; else nothing changes. They must be out
   * of the routes soon after it, or {@link #reopen}ed: a request that finds them closed waits.
   */
  boolean closeIdle(Collection<InstanceId> instances, Duration atLeast);

  /** Takes {@link #closeIdle} back, of what has not been drained since. */
  void reopen(Collection<InstanceId> instances);

  /**
   * Lets no further request go to the instance, ever, and waits for those that are under way. To be
   * called once the instance has left the routes. May be called again.
   *
   * <p>Completes on a thread that others need: what depends on it must not block there.
   *
   * @return true when nothing is under way there; false when {@code limit} was over first, and what
   *     was left, WebSockets and event streams included, has been ended
   */
  CompletableFuture<Boolean> drain(InstanceId instance, Duration limit);
}
