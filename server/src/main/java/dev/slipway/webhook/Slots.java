package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.WebhookId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * How much is sent at once: to an endpoint, for an account, and in all. Endpoints that let us wait
 * have at most half of their account's part together, and half of all: others get through beside
 * them however many there are. Not thread-safe.
 */
final class Slots {
  static final int PER_ENDPOINT = 8;
  static final int PER_ACCOUNT = 32;
  static final int ALL = 256;

  /** Who takes longer to answer, or not to, is slow until the next attempt ends. */
  private static final Duration SLOW = Duration.ofSeconds(1);

  /** Those that are forgotten count as quick, until they let us wait again. */
  private static final int MOST_REMEMBERED = 10_000;

  private final Map<Endpoint, Integer> underWay = new HashMap<>();
  private final Set<WebhookId> slow = new LinkedHashSet<>();

  void take(Endpoint endpoint) {
    underWay.merge(endpoint, 1, Integer::sum);
  }

  /**
   * @param took how long it was held
   */
  void free(Endpoint endpoint, Duration took) {
    underWay.computeIfPresent(endpoint, (_, count) -> count == 1 ? null : count - 1);
    slow.remove(endpoint.id());
    if (took.compareTo(SLOW) > 0) {
      slow.add(endpoint.id());
      if (slow.size() > MOST_REMEMBERED) {
        slow.remove(slow.iterator().next());
      }
    }
  }

  boolean isEmpty() {
    return underWay.isEmpty();
  }

  /**
   * How much more may be sent to each of these, dealt out one by one; takes nothing.
   *
   * @param waiting who comes first gets one first
   */
  Map<Endpoint, Integer> shares(Collection<Endpoint> waiting) {
    Map<Endpoint, Integer> shares = new LinkedHashMap<>();
    Deal deal = new Deal();
    boolean more = true;
    while (more) {
      more = false;
      for (Endpoint endpoint : waiting) {
        if (deal.give(endpoint)) {
          shares.merge(endpoint, 1, Integer::sum);
          more = true;
        }
      }
    }
    return shares;
  }

  /** What is under way and what is dealt out, added up. */
  private final class Deal {
    private final Map<Endpoint, Integer> ofEndpoint = new HashMap<>(underWay);
    private final Map<AccountId, Integer> ofAccount = new HashMap<>();
    private final Map<AccountId, Integer> slowOfAccount = new HashMap<>();
    private int all;
    private int allSlow;

    Deal() {
      underWay.forEach(this::add);
    }

    boolean give(Endpoint endpoint) {
      boolean free =
          all < ALL
              && ofEndpoint.getOrDefault(endpoint, 0) < PER_ENDPOINT
              && ofAccount.getOrDefault(endpoint.account(), 0) < PER_ACCOUNT
              && (!slow.contains(endpoint.id())
                  || (allSlow < ALL / 2
                      && slowOfAccount.getOrDefault(endpoint.account(), 0) < PER_ACCOUNT / 2));
      if (free) {
        ofEndpoint.merge(endpoint, 1, Integer::sum);
        add(endpoint, 1);
      }
      return free;
    }

    private void add(Endpoint endpoint, int count) {
      all += count;
      ofAccount.merge(endpoint.account(), count, Integer::sum);
      if (slow.contains(endpoint.id())) {
        allSlow += count;
        slowOfAccount.merge(endpoint.account(), count, Integer::sum);
      }
    }
  }
}
