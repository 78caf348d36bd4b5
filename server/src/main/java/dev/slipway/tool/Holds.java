package dev.slipway.tool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which tools are in somebody's hands, and in how many's. Thread-safe. */
final class Holds {
  private final Map<String, Integer> holders = new HashMap<>();

  synchronized void add(List<String> ids) {
    ids.forEach(id -> holders.merge(id, 1, Integer::sum));
  }

  synchronized void remove(List<String> ids) {
    ids.forEach(id -> holders.computeIfPresent(id, (_, count) -> count == 1 ? null : count - 1));
  }

  synchronized Set<String> ids() {
    return Set.copyOf(holders.keySet());
  }
}
