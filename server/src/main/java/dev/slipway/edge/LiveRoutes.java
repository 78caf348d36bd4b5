package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The routes that count now, and what is under way at their instances.
 *
 * <p>A request reads the table and then enters the gate of an instance; between the two the table
 * may change and the instance be drained. The gate then refuses and the request reads again, so
 * that a drained instance never meets a request. Thread-safe.
 */
final class LiveRoutes {
  private final ConcurrentHashMap<InstanceId, Gate> gates = new ConcurrentHashMap<>();
  private volatile RouteTable table = RouteTable.EMPTY;

  /** A target, entered. */
  record Entered(Target target, Claim claim) {}

  RouteTable table() {
    return table;
  }

  /** Does nothing where {@code next} is older than the present table. */
  synchronized void apply(RouteTable next) {
    if (next.version() >= table.version()) {
      reset(next);
    }
  }

  synchronized void reset(RouteTable next) {
    Set<InstanceId> named =
        next.routes().values().stream()
            .flatMap(route -> route.targets().stream())
            .map(Target::instance)
            .collect(Collectors.toSet());
    named.forEach(this::admit);
    table = next;
    gates.forEach((instance, gate) -> {
      if (!named.contains(instance) && gate.retire()) {
        gates.remove(instance, gate);
      }
    });
  }

  /** Lets requests enter an instance; changes nothing for one that is known, drained or not. */
  void admit(InstanceId instance) {
    gates.computeIfAbsent(instance, _ -> new Gate());
  }

  /** Enters the target with the least under way; empty where all are closed or in {@code skip}. */
  Optional<Entered> enter(Route route, Collection<InstanceId> skip, Runnable abort) {
    var open =
        route.targets().stream().filter(target -> !skip.contains(target.instance())).toList();
    while (!open.isEmpty()) {
      Target least = open.size() == 1 ? open.getFirst() : least(open);
      Optional<Claim> claim = enter(least.instance(), abort);
      if (claim.isPresent()) {
        return Optional.of(new Entered(least, claim.get()));
      }
      open = open.stream().filter(target -> !target.equals(least)).toList();
    }
    return Optional.empty();
  }

  Optional<Claim> enter(InstanceId instance, Runnable abort) {
    return Optional.ofNullable(gates.get(instance)).flatMap(gate -> gate.enter(abort));
  }

  /** Lets nothing enter the instance any more; completes when nothing is under way there. */
  CompletableFuture<Void> close(InstanceId instance) {
    return gates.computeIfAbsent(instance, _ -> new Gate()).close();
  }

  void abortAll(InstanceId instance) {
    Optional.ofNullable(gates.get(instance)).ifPresent(Gate::abortAll);
  }

  Duration idle(InstanceId instance) {
    return Optional.ofNullable(gates.get(instance)).map(Gate::idle).orElse(Duration.ZERO);
  }

  int inFlight(InstanceId instance) {
    return Optional.ofNullable(gates.get(instance)).map(Gate::inFlight).orElse(0);
  }

  /** How many instances are remembered. */
  int known() {
    return gates.size();
  }

  private Target least(Collection<Target> targets) {
    return targets.stream()
        .min(Comparator.comparingInt(target -> inFlight(target.instance())))
        .orElseThrow();
  }
}
