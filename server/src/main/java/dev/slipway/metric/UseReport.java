package dev.slipway.metric;

import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds what the instances of this host take, and writes it to the store. What
 * cannot be written is not made up for: the next look tells what they have taken since the last one
 * that was written.
 */
public final class UseReport implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(UseReport.class);
  private static final Duration EVERY = Duration.ofSeconds(15);

  /** Looks at which one that runs may not be found, as it could not be read. */
  private static final int FORGOTTEN_AFTER = 40;

  private final Database database;
  private final UseStore store;
  private final String worker;
  private final Supplier<List<Use>> look;
  private final Clock clock;
  private final ScheduledExecutorService every =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("use report").factory());
  private final Map<InstanceId, Seen> seen = new HashMap<>();
  private boolean begun;

  /**
   * What an instance had taken when it was looked at last.
   *
   * @param missed how often it was not to be found since
   */
  private record Seen(long cpuNanos, int missed) {}

  /**
   * @param worker the name of this host
   * @param look what runs here and what it takes
   */
  public UseReport(
      Database database, UseStore store, String worker, Supplier<List<Use>> look, Clock clock) {
    this.database = database;
    this.store = store;
    this.worker = worker;
    this.look = look;
    this.clock = clock;
  }

  /** Begins to report. */
  public UseReport start() {
    var _ =
        every.scheduleWithFixedDelay(
            this::reportSafely, EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return this;
  }

  private void reportSafely() {
    try {
      report();
    } catch (TransientException e) {
      log.debug("what instances take is not known at the moment", e);
    } catch (RuntimeException e) {
      log.error("what instances take cannot be reported", e);
    }
  }

  synchronized void report() {
    Instant now = clock.instant();
    List<Use> uses = look.get();
    Map<ProjectId, List<Use>> byProject =
        uses.stream().collect(Collectors.groupingBy(Use::project));
    List<UseWindow> windows = new ArrayList<>();
    byProject.forEach((project, its) -> {
      long cpu = its.stream().mapToLong(this::cpuSince).sum();
      long memory = its.stream().mapToLong(Use::memoryBytes).sum();
      for (Window.Step step : Window.Step.values()) {
        Window.Place place = new Window.Place(project, step, step.begin(now));
        windows.add(new UseWindow(place, its.size(), cpu, memory));
      }
    });
    database.useTransaction(tx -> store.add(tx, worker, windows));
    seen.replaceAll((_, it) -> new Seen(it.cpuNanos(), it.missed() + 1));
    uses.forEach(use -> seen.put(use.instance(), new Seen(use.cpuNanos(), 0)));
    seen.values().removeIf(it -> it.missed() > FORGOTTEN_AFTER);
    begun = true;
  }

  /** Of what ran before the first look nothing: a server that starts must not count it again. */
  private long cpuSince(Use use) {
    Seen before = seen.getOrDefault(use.instance(), new Seen(begun ? 0 : use.cpuNanos(), 0));
    return Math.max(0, use.cpuNanos() - before.cpuNanos());
  }

  @Override
  public void close() {
    every.shutdownNow();
  }
}
