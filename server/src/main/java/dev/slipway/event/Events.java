package dev.slipway.event;

import dev.slipway.core.AccountId;
import dev.slipway.core.EventId;
import dev.slipway.core.ProjectId;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.Handle;

/**
 * What happened, kept for 30 days. An event is written in the transaction in which it happens, and
 * has its place in the one order of all soon after the commit: whoever reads by place misses none,
 * as one that is committed late comes late. Thread-safe.
 */
public final class Events {
  /** Notified in the transaction that writes an event. */
  static final String WRITTEN = "slipway_events_written";

  /** Notified with each account in the transaction that gives its events their places. */
  private static final String PLACED = "slipway_events_placed";

  private static final Duration KEPT = Duration.ofDays(30);
  private static final int DELETED_AT_ONCE = 5_000;

  private final Database database;
  private final EventStore store = new EventStore();
  private final List<EventListener> listeners = new CopyOnWriteArrayList<>();
  private final Map<AccountId, Set<Runnable>> followers = new ConcurrentHashMap<>();
  private final Clock clock;

  public Events(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * What happened to what.
   *
   * @param resource the id of a migration, a deployment, and so on
   */
  public record Subject(AccountId account, ProjectId project, String resource) {}

  /**
   * An event at its place.
   *
   * @param place grows from event to event; not without gaps
   */
  public record Placed(long place, Event event) {}

  /** A place that grows. For one thread. */
  public final class Cursor {
    private final EventStore.Filter filter;
    private long place;

    Cursor(EventStore.Filter filter, long place) {
      this.filter = filter;
      this.place = place;
    }

    /** At most {@code limit} events behind the place, which moves behind them. */
    public List<Event> next(int limit) {
      List<EventStore.Placed> found = database.read(tx -> store.after(tx, filter, place, limit));
      if (!found.isEmpty()) {
        place = found.getLast().place();
      }
      return found.stream().map(EventStore.Placed::event).toList();
    }
  }

  /** Who is told of each event. */
  public void tell(EventListener listener) {
    listeners.add(listener);
  }

  /**
   * Writes an event in the caller's transaction, which holds the row of the resource.
   *
   * @param data the resource as the API shows it, as JSON
   */
  public void write(Handle tx, EventType type, Subject subject, String data) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    long sequence = store.nextSequence(tx, subject.resource(), subject.project());
    store.insert(
        tx,
        new Event(
            EventId.next(),
            subject.account(),
            subject.project(),
            type,
            subject.resource(),
            sequence,
            EventBody.of(type.wireName(), now, sequence, data),
            now));
    Notifications.notify(tx, WRITTEN, "");
  }

  /**
   * Gives places to at most {@code limit} events that have none, and tells the listeners.
   *
   * @return how many these were
   */
  int place(int limit) {
    return database.inTransaction(tx -> {
      List<Event> placed = store.place(tx, limit).stream().map(EventStore.Placed::event).toList();
      if (!placed.isEmpty()) {
        listeners.forEach(listener -> listener.placed(tx, placed));
        placed.stream()
            .map(Event::accountId)
            .distinct()
            .forEach(account -> Notifications.notify(tx, PLACED, account.value()));
      }
      return placed.size();
    });
  }

  /** At most {@code limit} events of an account, newest first, those in front of a place. */
  public List<Placed> list(
      AccountId account, Optional<ProjectId> project, Optional<Long> before, int limit) {
    EventStore.Filter filter = new EventStore.Filter(account, project);
    return database.read(tx ->
        store.before(tx, filter, before.orElse(Long.MAX_VALUE), limit).stream()
            .map(it -> new Placed(it.place(), it.event()))
            .toList());
  }

  /** From one of the account's events on; empty where there is none by that id. */
  public Optional<Cursor> after(AccountId account, Optional<ProjectId> project, EventId id) {
    return database
        .read(tx -> store.placeOf(tx, account, id))
        .map(place -> new Cursor(new EventStore.Filter(account, project), place));
  }

  /** From now on. */
  public Cursor fromNow(AccountId account, Optional<ProjectId> project) {
    return new Cursor(new EventStore.Filter(account, project), database.read(store::lastPlace));
  }

  /**
   * Calls {@code onPlaced} soon after events of the account got places, until {@link #unfollow}.
   */
  public void follow(AccountId account, Runnable onPlaced) {
    var _ =
        followers.compute(
            account,
            (_, known) -> {
              Set<Runnable> all = known == null ? ConcurrentHashMap.newKeySet() : known;
              all.add(onPlaced);
              return all;
            });
  }

  public void unfollow(AccountId account, Runnable onPlaced) {
    var _ =
        followers.computeIfPresent(
            account,
            (_, known) -> {
              known.remove(onPlaced);
              return known.isEmpty() ? null : known;
            });
  }

  /** Lets followers know, also of what other servers place. */
  public void listen(Notifications notifications) {
    notifications.subscribe(
        PLACED,
        account -> followers.getOrDefault(new AccountId(account), Set.of()).forEach(Runnable::run),
        () -> followers.values().forEach(all -> all.forEach(Runnable::run)));
  }

  /** Deletes what is older than 30 days. */
  public void forgetOld() {
    Instant before = clock.instant().minus(KEPT);
    while (database.inTransaction(tx -> store.deleteOld(tx, before, DELETED_AT_ONCE))
        == DELETED_AT_ONCE) {
      // The next ones, in a transaction of their own.
    }
  }
}
