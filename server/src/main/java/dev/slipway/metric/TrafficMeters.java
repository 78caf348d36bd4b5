package dev.slipway.metric;

import dev.slipway.core.ProjectId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The requests at the port of this process: for each project, and for the API. Thread-safe. */
public final class TrafficMeters {
  private final ConcurrentHashMap<ProjectId, Traffic> projects = new ConcurrentHashMap<>();
  private final Map<String, LongSupplier> refusals = new ConcurrentSkipListMap<>();
  private volatile LongSupplier lostLines = () -> 0;
  private final AtomicLong order = new AtomicLong();
  private final Traffic api = new Traffic(order.getAndIncrement());
  private final Traffic others = new Traffic(order.getAndIncrement());

  public Traffic of(ProjectId project) {
    Traffic known = projects.get(project); // It does not lock, as computing would.
    return known == null
        ? projects.computeIfAbsent(project, _ -> new Traffic(order.getAndIncrement()))
        : known;
  }

  /** Requests to API and dashboard. */
  public Traffic api() {
    return api;
  }

  /** Requests that are for nobody: unknown names, and what cannot be read. */
  public Traffic others() {
    return others;
  }

  /** Tells where it is counted how often something was refused. */
  public void refusals(String reason, LongSupplier count) {
    refusals.put(reason, count);
  }

  /** Tells where it is counted how many lines of the access log were lost. */
  public void lostLines(LongSupplier count) {
    lostLines = count;
  }

  Map<String, LongSupplier> refusals() {
    return refusals;
  }

  long lostLines() {
    return lostLines.getAsLong();
  }

  Map<ProjectId, Traffic> projects() {
    return projects;
  }
}
