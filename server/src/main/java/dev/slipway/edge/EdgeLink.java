package dev.slipway.edge;

import dev.slipway.core.EdgeId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an edge that is a process of its own shows that it is there, answers what is asked, and lets
 * go of instances: the other end of {@link RemoteEdges}. While the store is away the edge serves
 * on, and says afterwards what it has let go of. Thread-safe.
 */
public final class EdgeLink implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EdgeLink.class);
  private static final Duration BEAT_EVERY = Duration.ofSeconds(2);

  /** For how long requests wait at most where a server closed gates and was killed then. */
  private static final Duration CLOSED_AT_MOST = Duration.ofSeconds(15);

  private final EdgeId id;
  private final Database database;
  private final Routes routes;
  private final Traffic edge;
  private final Duration closedAtMost;
  private final EdgeStore store = new EdgeStore();
  private final Set<InstanceId> draining = new HashSet<>();
  private final Map<InstanceId, Boolean> unsaid = new HashMap<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("edge-link").factory());
  private boolean away;
  private boolean failing;
  private boolean left;

  /**
   * @param id whose lock is held ({@link EdgeLocks})
   * @param routes which feed the edge
   * @param edge of this process
   */
  public EdgeLink(EdgeId id, Database database, Routes routes, Traffic edge) {
    this(id, database, routes, edge, CLOSED_AT_MOST);
  }

  /**
   * @param closedAtMost how long gates stay closed that nobody opens
   */
  EdgeLink(EdgeId id, Database database, Routes routes, Traffic edge, Duration closedAtMost) {
    this.id = id;
    this.database = database;
    this.routes = routes;
    this.edge = edge;
    this.closedAtMost = closedAtMost;
  }

  /**
   * Makes the edge known, once. To be called before it serves, so that no instance that it leads to
   * is stopped without asking it. Blocks for as long as the store takes.
   *
   * @return false where the store does not answer; it is made known as soon as it does
   */
  public boolean join() {
    return beat();
  }

  /** Shows from now on that the edge is there, and does what it is asked. */
  public void follow(Notifications notifications) {
    hear(notifications);
    var _ =
        thread.scheduleWithFixedDelay(this::beat, 0, BEAT_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  void hear(Notifications notifications) {
    notifications.subscribe(
        EdgeStore.DRAIN,
        _ -> soon(() -> withStore(this::drainWhatIsAsked)),
        () -> soon(this::beat));
    notifications.subscribe(
        EdgeQuestions.QUESTIONS,
        text -> EdgeQuestion.parse(text).ifPresent(question -> soon(() -> answer(question))),
        () -> {});
  }

  /** To be called when the edge has ended: nobody asks it any more. */
  @Override
  public void close() {
    thread.shutdownNow();
    thread.close();
    leave();
  }

  private synchronized void leave() {
    left = true;
    try {
      database.useTransaction(tx -> store.leave(tx, id));
    } catch (TransientException e) {
      log.warn("edge={} could not say that it ends; it will be missed: {}", id, e.toString());
    }
  }

  /** A sign of life, and whatever could not be said or heard before. */
  synchronized boolean beat() {
    return !left
        && withStore(() -> {
          if (database.<Boolean>inTransaction(tx -> store.beat(tx, id))) {
            log.info("edge={} is known to the server", id);
            routes.reread(); // what it leads to may be long gone, and nobody asked it
          }
          drainWhatIsAsked();
          Map.copyOf(unsaid).forEach(this::say);
        });
  }

  private synchronized void drainWhatIsAsked() {
    List<EdgeStore.Drain> asked =
        database.read(tx -> store.askedOf(tx, id)).stream()
            .filter(it -> !unsaid.containsKey(it.instance()))
            .filter(it -> !draining.contains(it.instance()))
            .toList();
    if (asked.isEmpty()) {
      return;
    }
    routes.refresh(); // so that no route leads there: requests go elsewhere at once
    for (EdgeStore.Drain next : asked) {
      InstanceId instance = next.instance();
      draining.add(instance);
      var _ =
          edge.drain(instance, next.limit())
              .thenAccept(inFull -> soon(() -> drained(instance, inFull)));
    }
  }

  private synchronized void drained(InstanceId instance, boolean inFull) {
    draining.remove(instance);
    unsaid.put(instance, inFull);
    var _ = withStore(() -> say(instance, inFull));
  }

  private void say(InstanceId instance, boolean inFull) {
    database.useTransaction(tx -> store.done(tx, id, instance, inFull));
    unsaid.remove(instance);
  }

  private void answer(EdgeQuestion question) {
    switch (question.kind()) {
      case IDLE -> {
        Map<InstanceId, Duration> idle = edge.idle(question.instances());
        reply(
            question,
            question.instances().stream()
                .map(it -> idle.getOrDefault(it, Duration.ZERO).toMillis())
                .toList());
      }
      case CLOSE -> {
        boolean closed = edge.closeIdle(question.instances(), question.atLeast());
        if (closed) {
          var _ =
              thread.schedule(
                  () -> edge.reopen(question.instances()),
                  closedAtMost.toMillis(),
                  TimeUnit.MILLISECONDS);
        }
        reply(question, List.of(closed ? 1L : 0L));
      }
      case REOPEN -> edge.reopen(question.instances());
    }
  }

  private void reply(EdgeQuestion question, List<Long> numbers) {
    var answer = new EdgeQuestion.Answer(question.id(), id.value(), numbers);
    var _ =
        withStore(() ->
            database.useTransaction(
                tx -> Notifications.notify(tx, EdgeQuestions.ANSWERS, answer.text())));
  }

  /** False where the store is away or of another version, which is said once. */
  private synchronized boolean withStore(Runnable work) {
    try {
      work.run();
      away = false;
      failing = false;
      return true;
    } catch (TransientException e) {
      if (!away) {
        away = true;
        log.warn("edge={} goes on without the store: {}", id, e.toString());
      }
    } catch (RuntimeException e) {
      if (!failing) {
        failing = true;
        log.error("edge={} could not do what it was asked; it is tried again and again", id, e);
      }
    }
    return false;
  }

  private void soon(Runnable work) {
    try {
      thread.execute(work);
    } catch (RejectedExecutionException e) {
      // closed
    }
  }
}
