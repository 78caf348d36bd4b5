package dev.slipway.edge;

import dev.slipway.core.EdgeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which edges are there, found out by looking at their signs of life every few seconds. No clock is
 * asked: what counts is how often the store was seen, and did answer. While it is away no edge can
 * show itself, and none is taken for gone; nor while this process stands still.
 *
 * <p>Not thread-safe.
 */
final class Presence {
  /** An edge that was silent for so many looks is gone. */
  static final int LOOKS = 10;

  private final Map<EdgeId, Sight> sights = new HashMap<>();
  private int looks;

  private record Sight(long beat, int silent) {
    Sight next(long now) {
      return now == beat ? new Sight(beat, silent + 1) : new Sight(now, 0);
    }
  }

  /**
   * @param beats of all that are known
   * @return those of them that are gone
   */
  Set<EdgeId> look(Map<EdgeId, Long> beats) {
    looks++;
    sights.keySet().retainAll(beats.keySet());
    beats.forEach((edge, beat) ->
        sights.compute(
            edge, (_, before) -> before == null ? new Sight(beat, 0) : before.next(beat)));
    return sights.entrySet().stream()
        .filter(it -> it.getValue().silent() >= LOOKS)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The store did not answer: edges may have been started since, and none could say that it is. */
  void storeWasAway() {
    looks = 0;
    sights.clear();
  }

  /** Whether every edge that serves has had the time to show itself. */
  boolean settled() {
    return looks >= LOOKS;
  }
}
