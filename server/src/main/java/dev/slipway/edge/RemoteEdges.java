package dev.slipway.edge;

import dev.slipway.core.EdgeId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edges that are processes of their own, asked over the store; {@link EdgeLink} is their end of
 * it. An edge that does not show itself for some time while the store answers is gone and not
 * waited for. Thread-safe.
 */
public final class RemoteEdges implements Traffic, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RemoteEdges.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);

  /** Nobody has asked for it: no edge is there that could lead to it. */
  private static final Duration EVER = Duration.ofDays(36_500);

  private final Database database;
  private final boolean alone;
  private final EdgeLocks locks;
  private final EdgeStore store = new EdgeStore();
  private final EdgeQuestions questions;
  private final Presence presence = new Presence();
  private final ConcurrentHashMap<InstanceId, Waiting> drains = new ConcurrentHashMap<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("remote-edges").factory());
  private volatile boolean away;
  private boolean muteSaid;

  /**
   * @param looks how many are left until it is not waited for any more
   */
  private record Waiting(CompletableFuture<Boolean> result, AtomicInteger looks) {}

  /**
   * @param alone whether apps are served by such edges only. Then some may be there that could not
   *     show themselves yet, as the store was away when they were started
   * @param locks of the edges' processes
   */
  public RemoteEdges(Database database, boolean alone, EdgeLocks locks) {
    this(database, alone, locks, ANSWER_LIMIT);
  }

  RemoteEdges(Database database, boolean alone, EdgeLocks locks, Duration answerLimit) {
    this.database = database;
    this.alone = alone;
    this.locks = locks;
    this.questions = new EdgeQuestions(database, answerLimit);
  }

  /** Begins to look which edges are there, and to hear them. */
  public void follow(Notifications notifications) {
    hear(notifications);
    var _ =
        thread.scheduleWithFixedDelay(this::look, 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  void hear(Notifications notifications) {
    questions.follow(notifications);
    notifications.subscribe(EdgeStore.DRAINED, _ -> settleSoon(), this::settleSoon);
  }

  /** Whoever waits for a drain goes on waiting: he is to be interrupted before. */
  @Override
  public void close() {
    thread.shutdownNow();
    thread.close();
  }

  @Override
  public Map<InstanceId, Duration> idle(Collection<InstanceId> instances) {
    Map<InstanceId, Duration> idle = new HashMap<>();
    Set<EdgeId> edges = edges();
    for (List<InstanceId> some : parts(instances)) {
      some.forEach(instance -> idle.put(instance, nobodyElse(edges) ? EVER : Duration.ZERO));
      if (!edges.isEmpty()) {
        questions
            .ask(edges, EdgeQuestion.Kind.IDLE, Duration.ZERO, some)
            .ifPresent(answers -> idle.putAll(least(some, answers)));
      }
    }
    return idle;
  }

  private static Map<InstanceId, Duration> least(
      List<InstanceId> instances, List<EdgeQuestion.Answer> answers) {
    Map<InstanceId, Duration> least = new HashMap<>();
    for (int i = 0; i < instances.size(); i++) {
      int at = i;
      long millis =
          answers.stream()
              .map(EdgeQuestion.Answer::numbers)
              .mapToLong(numbers -> at < numbers.size() ? numbers.get(at) : 0)
              .min()
              .orElse(0);
      least.put(instances.get(i), Duration.ofMillis(millis));
    }
    return least;
  }

  @Override
  public boolean closeIdle(Collection<InstanceId> instances, Duration atLeast) {
    Set<EdgeId> edges = edges();
    if (edges.isEmpty() || someMayBeUnknown()) {
      return nobodyElse(edges);
    }
    for (List<InstanceId> some : parts(instances)) {
      boolean closed =
          questions
              .ask(edges, EdgeQuestion.Kind.CLOSE, atLeast, some)
              .filter(answers -> answers.stream().allMatch(it -> it.numbers().contains(1L)))
              .isPresent();
      if (!closed) {
        reopen(instances);
        return false;
      }
    }
    return true;
  }

  @Override
  public void reopen(Collection<InstanceId> instances) {
    try {
      parts(instances).forEach(some -> questions.tell(EdgeQuestion.Kind.REOPEN, some));
    } catch (TransientException e) {
      log.warn("edges are not told to go on; they do so by themselves: {}", e.toString());
    }
  }

  /** Whether it is certain that these are all. */
  private boolean nobodyElse(Set<EdgeId> edges) {
    return edges.isEmpty() && !alone;
  }

  private Set<EdgeId> edges() {
    return Set.copyOf(database.statement(store::beats).keySet());
  }

  private static List<List<InstanceId>> parts(Collection<InstanceId> instances) {
    List<InstanceId> all = List.copyOf(instances);
    List<List<InstanceId>> parts = new ArrayList<>();
    for (int i = 0; i < all.size(); i += EdgeQuestion.MOST) {
      parts.add(all.subList(i, Math.min(all.size(), i + EdgeQuestion.MOST)));
    }
    return parts;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Each edge counts the limit from when it is told. A server that was killed while it waited
   * asks again, and the edges go on where they are.
   */
  @Override
  public CompletableFuture<Boolean> drain(InstanceId instance, Duration limit) {
    if (nobodyElse(edges())) {
      return CompletableFuture.completedFuture(true);
    }
    // Before it is waited for: what nobody has been asked for yet looks as if it were drained.
    database.useTransaction(tx -> store.ask(tx, instance, limit));
    int looks = Math.toIntExact(limit.dividedBy(LOOK_EVERY)) + 3 * Presence.LOOKS;
    Waiting waiting =
        drains.computeIfAbsent(
            instance, _ -> new Waiting(new CompletableFuture<>(), new AtomicInteger(looks)));
    settleSoon();
    return waiting.result();
  }

  private void settleSoon() {
    try {
      thread.execute(this::settle);
    } catch (RejectedExecutionException e) {
      // closed
    }
  }

  /** Looks which edges are there, and lets go of those that are gone. */
  synchronized void look() {
    try {
      Map<EdgeId, Long> beats = database.statement(store::beats);
      if (!letGoOfThoseThatAreGone(beats)) {
        drains.forEach((_, waiting) -> waiting.looks().decrementAndGet());
      }
      away = false;
      settle();
    } catch (TransientException e) {
      storeIsAway(e);
    } catch (RuntimeException e) {
      log.error("the edges could not be looked at", e);
    }
  }

  /** Whether one lives and does not reach the store: whatever it leads to is left alone. */
  private boolean letGoOfThoseThatAreGone(Map<EdgeId, Long> beats) {
    boolean mute = false;
    for (EdgeId edge : presence.look(beats)) {
      long last = Optional.ofNullable(beats.get(edge)).orElseThrow();
      if (locks.held(edge)) {
        mute = true;
        if (!muteSaid) {
          log.error(
              "edge={} runs and does not reach the store, or stands still: programs that were replaced are not stopped before it does, or is ended",
              edge);
        }
      } else if (database.<Boolean>inTransaction(tx -> store.gone(tx, edge, last))) {
        locks.clear(edge);
        log.warn("edge={} is gone: it has not shown itself while the store was there", edge);
      }
    }
    muteSaid = mute;
    return mute;
  }

  private synchronized void settle() {
    if (drains.isEmpty() || someMayBeUnknown()) {
      return;
    }
    try {
      Set<InstanceId> asked = Set.copyOf(drains.keySet());
      Set<InstanceId> missing = database.statement(store::missing);
      Set<InstanceId> cutOff = database.statement(store::cutOff);
      for (InstanceId instance : asked) {
        Waiting waiting = drains.get(instance);
        if (waiting == null) {
          continue;
        }
        if (!missing.contains(instance)) {
          finish(instance, waiting, !cutOff.contains(instance));
        } else if (waiting.looks().get() < 0) {
          log.error("instance={} is not waited for any more: an edge does not let go", instance);
          finish(instance, waiting, false);
        }
      }
    } catch (TransientException e) {
      storeIsAway(e);
    } catch (RuntimeException e) {
      log.error("it could not be found out what edges have let go of", e);
    }
  }

  private synchronized boolean someMayBeUnknown() {
    return alone && !presence.settled();
  }

  private void finish(InstanceId instance, Waiting waiting, boolean inFull) {
    drains.remove(instance, waiting);
    waiting.result().complete(inFull);
  }

  private void storeIsAway(TransientException cause) {
    presence.storeWasAway();
    if (!away && !drains.isEmpty()) {
      away = true;
      log.warn("edges are waited for until the store is back: {}", cause.toString());
    }
  }
}
