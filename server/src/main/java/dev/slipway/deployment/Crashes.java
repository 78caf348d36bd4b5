package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;

/** How often the programs that serve have crashed in a row. Thread-safe. */
final class Crashes {
  private final ConcurrentHashMap<DeploymentId, CrashCount> counts = new ConcurrentHashMap<>();

  CrashCount of(DeploymentId id) {
    return counts.getOrDefault(id, CrashCount.NONE);
  }

  /** One more. */
  CrashCount add(DeploymentId id, Instant startedAt, Instant endedAt) {
    return counts.merge(
        id,
        CrashCount.NONE.crashed(startedAt, endedAt),
        (count, _) -> count.crashed(startedAt, endedAt));
  }

  /** One more that did not come up. */
  CrashCount addUnstarted(DeploymentId id, Instant begun, Instant endedAt) {
    return counts.merge(
        id,
        CrashCount.NONE.notStarted(begun, endedAt),
        (count, _) -> count.notStarted(begun, endedAt));
  }

  /** It had crashed many times before this server was started. */
  void knownToCrash(DeploymentId id, Instant now) {
    counts.put(id, new CrashCount(CrashCount.MANY, now));
  }

  /** False where another has come since. */
  boolean forget(DeploymentId id, CrashCount count) {
    return counts.remove(id, count);
  }

  void forget(DeploymentId id) {
    counts.remove(id);
  }
}
