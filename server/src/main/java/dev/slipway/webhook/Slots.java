package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.core.WebhookId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * How much is sent at once: to an endpoint, for an account, and in all. A quarter of an account's
 * part, and of all, is for the endpoints that let us wait, the rest for the others: these get as
 * much beside a dead one as without it. Not thread-safe.
 */
final class Slots {
  static final int PER_ENDPOINT = 8;
  static final int PER_ACCOUNT = 32;
  static final int ALL = 256;

  /** One in so many is for those that are slow. */
  private static final int PARTS = 4;

  /** Who takes longer to answer, or not to, is slow until an attempt has ended sooner. */
  static final Duration SLOW = Duration.ofSeconds(1);

  /** Those that are forgotten count as quick, until they let us wait again. */
  private static final int MOST_REMEMBERED = 10_000;

  private final Map<Endpoint, Busy> underWay = new HashMap<>();
  private final Set<WebhookId> slow = new LinkedHashSet<>();

  /**
   * What is being sent to an endpoint.
   *
   * @param since the last attempt ended, or the first of these began
   */
  private record Busy(int count, Instant since) {}

  void take(Endpoint endpoint, Instant now) {
    underWay.merge(
        endpoint, new Busy(1, now), (busy, _) -> new Busy(busy.count() + 1, busy.since()));
  }

  /**
   * @param took how long it was held
   */
  void free(Endpoint endpoint, Duration took, Instant now) {
    underWay.computeIfPresent(
        endpoint, (_, busy) -> busy.count() == 1 ? null : new Busy(busy.count() - 1, now));
    slow.remove(endpoint.id());
    if (took.compareTo(SLOW) > 0) {
      remember(endpoint);
    }
  }

  private void remember(Endpoint endpoint) {
    slow.add(endpoint.id());
    if (slow.size() > MOST_REMEMBERED) {
      slow.remove(slow.iterator().next());
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
  Map<Endpoint, Integer> shares(Collection<Endpoint> waiting, Instant now) {
    underWay.forEach((endpoint, busy) -> {
      if (busy.since().plus(SLOW).isBefore(now)) {
        remember(endpoint);
      }
    });
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

  /** The part that an account has for its slow endpoints, or for the others. */
  private record Part(AccountId account, boolean slow) {}

  /** What is under way and what is dealt out, added up. */
  private final class Deal {
    private final Map<Endpoint, Integer> ofEndpoint = new HashMap<>();
    private final Map<Part, Integer> ofAccount = new HashMap<>();
    private final Map<Boolean, Integer> ofAll = new HashMap<>();

    Deal() {
      underWay.forEach((endpoint, busy) -> add(endpoint, busy.count()));
    }

    boolean give(Endpoint endpoint) {
      Part part = part(endpoint);
      boolean free =
          ofEndpoint.getOrDefault(endpoint, 0) < PER_ENDPOINT
              && ofAccount.getOrDefault(part, 0) < most(PER_ACCOUNT, part)
              && ofAll.getOrDefault(part.slow(), 0) < most(ALL, part)
              && both(endpoint.account()) < PER_ACCOUNT
              && ofAll.getOrDefault(true, 0) + ofAll.getOrDefault(false, 0) < ALL;
      if (free) {
        add(endpoint, 1);
      }
      return free;
    }

    /** More than the parts where an endpoint has just become slow. */
    private int both(AccountId account) {
      return ofAccount.getOrDefault(new Part(account, true), 0)
          + ofAccount.getOrDefault(new Part(account, false), 0);
    }

    private void add(Endpoint endpoint, int count) {
      Part part = part(endpoint);
      ofEndpoint.merge(endpoint, count, Integer::sum);
      ofAccount.merge(part, count, Integer::sum);
      ofAll.merge(part.slow(), count, Integer::sum);
    }

    private Part part(Endpoint endpoint) {
      return new Part(endpoint.account(), slow.contains(endpoint.id()));
    }

    private static int most(int all, Part part) {
      return part.slow() ? all / PARTS : all - all / PARTS;
    }
  }
}
