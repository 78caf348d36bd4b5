package dev.slipway.edge;

import dev.slipway.core.InstanceId;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
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

  /**
   * Enters the target with the least under way, of several the one that was entered longest ago;
   * those that refuse connections or answer nothing come last. Empty where all are closed or in
   * {@code skip}.
   */
  Optional<Entered> enter(Route route, Collection<InstanceId> skip, Runnable abort) {
    if (route.targets().size() == 1) { // of most applications: nothing to compare
      Target only = route.targets().getFirst();
      return skip.contains(only.instance())
          ? Optional.empty()
          : enter(only.instance(), abort).map(claim -> new Entered(only, claim));
    }
    List<Candidate> open =
        route.targets().stream()
            .filter(target -> !skip.contains(target.instance()))
            .flatMap(target -> candidate(target).stream())
            .sorted()
            .toList();
    for (Candidate best : open) {
      Optional<Claim> claim = best.gate().enter(abort);
      if (claim.isPresent()) {
        return Optional.of(new Entered(best.target(), claim.get()));
      }
    }
    return Optional.empty();
  }

  private Optional<Candidate> candidate(Target target) {
    return Optional.ofNullable(gates.get(target.instance()))
        .map(gate -> Candidate.of(target, gate));
  }

  /** A target as it was at one moment, so that all are compared at the same; the best is first. */
  private record Candidate(
      Target target, Gate gate, boolean ejected, int inFlight, long unenteredNanos)
      implements Comparable<Candidate> {
    private static final Comparator<Candidate> ORDER =
        Comparator.comparing(Candidate::ejected)
            .thenComparingInt(Candidate::inFlight)
            .thenComparingLong(candidate -> -candidate.unenteredNanos());

    static Candidate of(Target target, Gate gate) {
      return new Candidate(
          target, gate, gate.ejection().present(), gate.inFlight(), gate.unenteredNanos());
    }

    @Override
    public int compareTo(Candidate other) {
      return ORDER.compare(this, other);
    }
  }

  /** Of an instance that is known. */
  Optional<Ejection> ejection(InstanceId instance) {
    return Optional.ofNullable(gates.get(instance)).map(Gate::ejection);
  }

  void answered(InstanceId instance) {
    Optional.ofNullable(gates.get(instance)).ifPresent(Gate::answered);
  }

  /** Whether an answer of the instance has begun since then. */
  boolean answeredSince(InstanceId instance, long nanos) {
    return Optional.ofNullable(gates.get(instance))
        .filter(gate -> gate.answeredSince(nanos))
        .isPresent();
  }

  Optional<Claim> enter(InstanceId instance, Runnable abort) {
    return Optional.ofNullable(gates.get(instance)).flatMap(gate -> gate.enter(abort));
  }

  /** Lets nothing enter the instance any more; completes when nothing is under way there. */
  CompletableFuture<Void> close(InstanceId instance) {
    return gates.computeIfAbsent(instance, _ -> new Gate()).close();
  }

  /** Closes all of these where nothing is under way at any, and nothing was for so long. */
  boolean closeIdle(Collection<InstanceId> instances, Duration atLeast) {
    for (InstanceId instance : instances) {
      Gate gate = gates.get(instance);
      if (gate == null || !gate.closeIdle(atLeast)) {
        reopen(instances.stream().takeWhile(it -> !it.equals(instance)).toList());
        return false;
      }
    }
    return true;
  }

  void reopen(Collection<InstanceId> instances) {
    instances.forEach(it -> Optional.ofNullable(gates.get(it)).ifPresent(Gate::reopen));
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
}
