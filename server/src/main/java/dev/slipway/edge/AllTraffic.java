package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What several edges, or groups of them, say together. */
public final class AllTraffic implements Traffic {
  private final List<Traffic> parts;

  public AllTraffic(Traffic... parts) {
    this.parts = List.of(parts);
  }

  @Override
  public Map<InstanceId, Duration> idle(Collection<InstanceId> instances) {
    Map<InstanceId, Duration> least = new HashMap<>();
    for (Traffic part : parts) {
      part.idle(instances)
          .forEach((instance, idle) ->
              least.merge(instance, idle, (a, b) -> a.compareTo(b) < 0 ? a : b));
    }
    return least;
  }

  @Override
  public boolean closeIdle(Collection<InstanceId> instances, Duration atLeast) {
    int closed = 0;
    try {
      while (closed < parts.size() && parts.get(closed).closeIdle(instances, atLeast)) {
        closed++;
      }
      return closed == parts.size();
    } finally {
      if (closed < parts.size()) { // also where one could not be asked
        parts.subList(0, closed).forEach(part -> part.reopen(instances));
      }
    }
  }

  @Override
  public void reopen(Collection<InstanceId> instances) {
    parts.forEach(part -> part.reopen(instances));
  }

  @Override
  public CompletableFuture<Boolean> drain(InstanceId instance, Duration limit) {
    return parts.stream()
        .map(part -> part.drain(instance, limit))
        .reduce(
            CompletableFuture.completedFuture(true),
            (all, next) -> all.thenCombine(next, Boolean::logicalAnd));
  }
}
