package dev.slipway.core;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Which things are in somebody's hands, and in how many's. Thread-safe. */
public final class Holds<T> {
  private final Map<T, Integer> holders = new HashMap<>();

  public synchronized void add(Collection<T> things) {
    things.forEach(it -> holders.merge(it, 1, Integer::sum));
  }

  public synchronized void remove(Collection<T> things) {
    things.forEach(it -> holders.computeIfPresent(it, (_, count) -> count == 1 ? null : count - 1));
  }

  /** All that somebody has at this moment. */
  public synchronized Set<T> all() {
    return Set.copyOf(holders.keySet());
  }
}
