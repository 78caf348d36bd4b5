package dev.slipway.metric;

import dev.slipway.core.ProjectId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what an edge's process counts to the store, every few seconds. While the store does not
 * answer, all of it waits in memory, for a day at least; each process has rows of its own, which
 * are added up by whoever reads them. Whoever runs an edge makes one, and closes it after the edge.
 */
public final class TrafficReport implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TrafficReport.class);
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final int MOST_WAITING = 50_000;
  private static final int AT_ONCE = 1_000;

  private final Database database;
  private final TrafficStore store;
  private final TrafficMeters meters;
  private final Clock clock;
  private final String edge = UUID.randomUUID().toString();
  private final ScheduledExecutorService every =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("traffic report").factory());

  private final Map<ProjectId, Totals> seen = new HashMap<>();
  private final Map<Window.Place, Window> open = new HashMap<>();
  private final Map<Window.Place, Window> unwritten = new LinkedHashMap<>();
  private Instant latest = Instant.MIN;
  private boolean failing;

  public TrafficReport(Database database, TrafficStore store, TrafficMeters meters, Clock clock) {
    this.database = database;
    this.store = store;
    this.meters = meters;
    this.clock = clock;
  }

  /** Begins to report. */
  public TrafficReport start() {
    var _ =
        every.scheduleWithFixedDelay(
            this::reportSafely, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return this;
  }

  private void reportSafely() {
    try {
      report();
    } catch (RuntimeException e) {
      log.error("the requests of the projects cannot be reported", e);
    }
  }

  /** Writes what has been counted since the last time. */
  synchronized void report() {
    Instant now = clock.instant();
    meters.projects().forEach((project, traffic) -> count(project, traffic, now));
    boundWaiting();
    open.keySet().removeIf(place -> place.isOver(now) && !unwritten.containsKey(place));
    try {
      while (!unwritten.isEmpty()) {
        List<Window> next = unwritten.values().stream().limit(AT_ONCE).toList();
        database.useTransaction(tx -> store.write(tx, edge, next));
        next.forEach(it -> unwritten.remove(it.place()));
      }
      failing = false;
    } catch (TransientException e) {
      if (!failing) {
        log.warn("the requests of the projects are reported later: {}", e.getMessage());
      }
      failing = true;
    }
  }

  private void count(ProjectId project, Traffic traffic, Instant now) {
    Totals totals = traffic.totals();
    Totals more = totals.since(seen.getOrDefault(project, Totals.NONE));
    long inFlight = traffic.inFlight();
    if (more.requests() == 0 && inFlight == 0) {
      return;
    }
    seen.put(project, totals);
    // What was counted was mostly so before now: at the turn of a minute it belongs to the last.
    Instant counted = latest(now.minus(EVERY.dividedBy(2)));
    for (Window.Step step : Window.Step.values()) {
      Window.Place place = new Window.Place(project, step, step.begin(counted));
      Window window =
          open.getOrDefault(place, new Window(place, Totals.NONE, 0)).plus(more, inFlight);
      open.put(place, window);
      unwritten.put(place, window);
    }
  }

  /** Never back: what was written of an hour that is over would be written over. */
  private Instant latest(Instant counted) {
    if (counted.isAfter(latest)) {
      latest = counted;
    }
    return latest;
  }

  /** Minutes go first: the hours have them too. */
  private void boundWaiting() {
    if (unwritten.size() <= MOST_WAITING) {
      return;
    }
    List<Window.Place> oldest = new ArrayList<>(unwritten.keySet());
    oldest.removeIf(place -> place.step() != Window.Step.MINUTE);
    oldest.stream().limit(unwritten.size() - MOST_WAITING).forEach(unwritten::remove);
  }

  /** Reports for the last time. */
  @Override
  public void close() {
    every.shutdownNow();
    reportSafely();
  }
}
