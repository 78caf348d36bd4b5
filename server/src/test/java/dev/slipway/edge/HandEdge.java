package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** An edge whose requests end when the test says so. */
final class HandEdge implements Traffic {
  final List<InstanceId> drained = new CopyOnWriteArrayList<>();
  volatile Duration limit = Duration.ZERO;
  volatile boolean idle;
  volatile boolean reopened;
  private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>();

  /**
   * @param inFull or what was left has been ended
   */
  synchronized void letGo(boolean inFull) {
    waiting.forEach(each -> each.complete(inFull));
  }

  @Override
  public Map<InstanceId, Duration> idle(Collection<InstanceId> instances) {
    return instances.stream()
        .collect(Collectors.toMap(it -> it, _ -> idle ? Duration.ofHours(1) : Duration.ZERO));
  }

  @Override
  public boolean closeIdle(Collection<InstanceId> instances, Duration atLeast) {
    return idle;
  }

  @Override
  public void reopen(Collection<InstanceId> instances) {
    reopened = true;
  }

  @Override
  public synchronized CompletableFuture<Boolean> drain(InstanceId instance, Duration within) {
    drained.add(instance);
    limit = within;
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    waiting.add(result);
    return result;
  }
}
