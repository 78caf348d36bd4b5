package dev.slipway.webhook;

import dev.slipway.core.AccountId;
import dev.slipway.db.Database;
import dev.slipway.vault.Vault;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides what is sent next. Each round writes what has ended and takes what comes next in one
 * transaction; until that has been committed nothing of it is forgotten here. No more is taken than
 * is sent at once, so that what waits costs no memory. Not thread-safe.
 */
final class Dispatch {
  private static final Duration LEASE = Duration.ofMinutes(1);

  /** For what another worker left behind, and what was notified while nobody listened. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(30);

  private static final Duration POSTPONED_FOR = Duration.ofSeconds(5);
  private static final Duration LEAST_PAUSE = Duration.ofMillis(100);

  private final Database database;
  private final SendingStore store;
  private final Recording recording;
  private final String worker;
  private final Clock clock;

  private final Slots slots = new Slots();
  private final Set<Endpoint> waiting = new LinkedHashSet<>();
  private final List<Ended> ended = new ArrayList<>();
  private final List<Sending> postponed = new ArrayList<>();
  private final Set<AccountId> told = new HashSet<>();
  private Instant nextLook = Instant.MIN;

  Dispatch(Database database, Vault vault, String worker, Clock clock) {
    this.database = database;
    this.store = new SendingStore(vault);
    this.recording = new Recording(vault, store, worker);
    this.worker = worker;
    this.clock = clock;
  }

  private record Round(
      List<SendingStore.Waiting> found, Map<Endpoint, Integer> shares, List<Sending> taken) {}

  /** What this worker was sending when it was killed is sent again. */
  void takeBack() {
    database.useTransaction(tx -> store.takeBack(tx, worker, clock.instant()));
  }

  /** Something of the account may be due. */
  void look(AccountId account) {
    told.add(account);
  }

  /** Something may be due. */
  void look() {
    nextLook = Instant.MIN;
  }

  void over(Sending sending, Attempt attempt) {
    slots.free(sending.endpoint(), attempt.took(), clock.instant());
    ended.add(Ended.of(sending, attempt, clock.instant()));
    waiting.add(sending.endpoint());
  }

  /** Nothing is known of the attempt; another is made when the lease is over. */
  void lost(Sending sending) {
    slots.free(sending.endpoint(), Duration.ZERO, clock.instant());
  }

  /** No attempt was made for want of room; that is soon tried again. */
  void postponed(Sending sending) {
    lost(sending);
    postponed.add(sending);
  }

  /** What cannot be written is not tried for ever: these attempts are made again instead. */
  void forgetEnded() {
    ended.clear();
    postponed.clear();
  }

  /** Whether nothing is being sent and all is written. */
  boolean isIdle() {
    return slots.isEmpty() && ended.isEmpty() && postponed.isEmpty();
  }

  /** How long there is nothing to do unless something is told. */
  Duration pause() {
    Duration left = nextLook.equals(Instant.MIN) ? Duration.ZERO : left(clock.instant());
    // Who waits for a slot may get one when another endpoint turns out to be slow.
    Duration most = waiting.isEmpty() ? LOOK_EVERY : Slots.SLOW;
    return left.compareTo(most) < 0 ? left : most;
  }

  private Duration left(Instant now) {
    return now.isBefore(nextLook) ? Duration.between(now, nextLook) : Duration.ZERO;
  }

  /**
   * One round.
   *
   * @param more whether to take any
   * @return what is to be sent now
   */
  List<Sending> work(boolean more) {
    Instant now = clock.instant();
    boolean everywhere = !now.isBefore(nextLook);
    boolean looks = more && (everywhere || !told.isEmpty());
    boolean news = !ended.isEmpty() || !postponed.isEmpty();
    if (!news && !looks && (!more || slots.shares(waiting, now).isEmpty())) {
      return List.of();
    }
    Round round =
        database.inTransaction(tx -> {
          if (news) {
            recording.write(tx, ended, postponed, now, now.plus(POSTPONED_FOR));
          }
          List<SendingStore.Waiting> found =
              looks ? store.waiting(tx, everywhere ? Set.of() : told, now) : List.of();
          Map<Endpoint, Integer> shares = more ? slots.shares(withDue(found), now) : Map.of();
          return new Round(
              found,
              shares,
              shares.isEmpty() ? List.of() : store.take(tx, shares, worker, now, now.plus(LEASE)));
        });
    if (everywhere) {
      nextLook = now.plus(LOOK_EVERY);
    }
    round.found().forEach(it -> it.next().ifPresent(this::lookAt));
    ended.forEach(it -> it.next().ifPresent(this::lookAt));
    if (!postponed.isEmpty()) {
      lookAt(now.plus(POSTPONED_FOR));
    }
    if (nextLook.isBefore(now.plus(LEAST_PAUSE))) {
      nextLook = now.plus(LEAST_PAUSE);
    }
    ended.clear();
    postponed.clear();
    told.clear();
    waiting.addAll(withDue(round.found()));
    keepWaiting(round);
    round.taken().forEach(it -> slots.take(it.endpoint(), now));
    return round.taken();
  }

  private Set<Endpoint> withDue(List<SendingStore.Waiting> found) {
    Set<Endpoint> all = new LinkedHashSet<>(waiting);
    found.stream()
        .filter(SendingStore.Waiting::due)
        .map(SendingStore.Waiting::endpoint)
        .forEach(all::add);
    return all;
  }

  private void lookAt(Instant time) {
    if (time.isBefore(nextLook)) {
      nextLook = time;
    }
  }

  /** Who got all that was asked for may have more, and comes last; others have nothing left. */
  private void keepWaiting(Round round) {
    Map<Endpoint, Integer> taken = new HashMap<>();
    round.taken().forEach(it -> taken.merge(it.endpoint(), 1, Integer::sum));
    round
        .shares()
        .forEach((endpoint, share) -> {
          waiting.remove(endpoint);
          if (taken.getOrDefault(endpoint, 0).equals(share)) {
            waiting.add(endpoint);
          }
        });
  }
}
