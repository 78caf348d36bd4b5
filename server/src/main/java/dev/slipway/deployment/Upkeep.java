package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.edge.Routes;
import dev.slipway.instance.Instances;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps running what should run: adopts it when the server starts, and starts again what crashed or
 * went down with the machine, with growing pauses.
 */
public final class Upkeep implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final int MANY_CRASHES = 10;

  /** What ran this long is not in a loop of crashes. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  private final Database database;
  private final Records records;
  private final Instances instances;
  private final Routes routes;
  private final Starter starter;
  private final Clock clock;
  private final Map<DeploymentId, Crashes> crashes = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("upkeep").factory());

  private record Crashes(int quick, long lastNanos) {}

  Upkeep(
      Database database,
      Records records,
      Instances instances,
      Routes routes,
      Starter starter,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.instances = instances;
    this.routes = routes;
    this.starter = starter;
    this.clock = clock;
    instances.onCrash((deployment, exit) -> restart(deployment));
  }

  /**
   * Takes over what an earlier run of the server left running; returns when routes lead to it. What
   * should run and does not is being started when this returns.
   */
  public void recover() {
    Set<DeploymentId> adopted =
        instances.recover(
            database.read(tx ->
                records
                    .deployments()
                    .inStatus(tx, DeploymentStatus.LIVE, DeploymentStatus.ROLLED_BACK)),
            beingStarted());
    database.useTransaction(
        tx -> adopted.forEach(id -> SleepJob.schedule(tx, id, clock.instant())));
    routes.refresh();
    List<Deployment> serving =
        database.read(tx ->
            records.deployments().serving(tx).stream()
                .filter(deployment -> !records.isSite(tx, deployment))
                .toList());
    for (Deployment deployment : serving) {
      if (instances.healthy(deployment.id()).isEmpty()) {
        start(deployment.id());
      }
    }
  }

  private Set<DeploymentId> beingStarted() {
    return database.read(tx -> {
      Set<DeploymentId> all =
          new HashSet<>(records.deployments().inStatus(tx, DeploymentStatus.DEPLOYING));
      all.addAll(records.restarts().restarting(tx));
      return all;
    });
  }

  @Override
  public void close() {
    timer.shutdownNow();
    starter.close();
  }

  private void restart(DeploymentId id) {
    try {
      if (!isServing(id)) {
        return; // a preview: its next request starts it
      }
    } catch (TransientException e) {
      startLater(id, LONGEST_PAUSE);
      return;
    }
    Crashes now = crashes.compute(id, (key, before) -> next(before));
    if (now.quick() == MANY_CRASHES) {
      log.error("deployment={} crashed {} times in quick succession", id, MANY_CRASHES);
    }
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(now.quick() - 1, 20));
    Duration pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    startLater(id, pause);
  }

  private void startLater(DeploymentId id, Duration pause) {
    var _ = timer.schedule(() -> start(id), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Crashes next(@Nullable Crashes before) {
    long now = System.nanoTime();
    return before == null || now - before.lastNanos() > SETTLED.toNanos()
        ? new Crashes(1, now)
        : new Crashes(before.quick() + 1, now);
  }

  private void start(DeploymentId id) {
    try {
      if (!isServing(id)) {
        return; // replaced in the meantime
      }
    } catch (TransientException e) {
      log.warn("deployment={} is not started yet: {}", id, e.toString());
      startLater(id, LONGEST_PAUSE);
      return;
    }
    var _ =
        starter
            .wake(id)
            .whenComplete((target, failure) -> {
              if (failure == null) {
                log.info("deployment={} started again", id);
              } else {
                log.warn("deployment={} could not be started: {}", id, failure.toString());
                restart(id);
              }
            });
  }

  private boolean isServing(DeploymentId id) {
    return database.read(tx -> records.deployments().isServing(tx, id));
  }
}
