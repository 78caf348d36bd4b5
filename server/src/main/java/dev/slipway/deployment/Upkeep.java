package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.TransientException;
import dev.slipway.core.Turns;
import dev.slipway.db.Database;
import dev.slipway.edge.Routes;
import dev.slipway.instance.Crash;
import dev.slipway.instance.Instances;
import dev.slipway.instance.Started;
import dev.slipway.job.Jobs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps running what should run: adopts it when the server starts, and starts again what crashed or
 * went down with the machine, with growing pauses. It is told what to look at, and looks at
 * everything now and then, so that no word that got lost leaves something down.
 */
public final class Upkeep implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
  private static final Duration STORE_OR_ENGINE_AWAY = Duration.ofSeconds(2);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(30);
  private static final int STARTS_AT_ONCE = 16;

  private final Database database;
  private final Records records;
  private final Instances instances;
  private final Routes routes;
  private final Scaling scaling;
  private final Starter starter;
  private final Crashes crashes;
  private final CrashReport report;
  private final Clock clock;
  private final ConcurrentHashMap<DeploymentId, ScheduledFuture<?>> waiting =
      new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("upkeep").factory());

  /** What is being adjusted, and whether it was asked for once more since that began. */
  private final ConcurrentHashMap<DeploymentId, Boolean> adjusting = new ConcurrentHashMap<>();

  private final Turns turns = new Turns(STARTS_AT_ONCE);
  private final ExecutorService starts =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("upkeep-", 0).factory());

  Upkeep(
      Database database,
      Records records,
      Instances instances,
      Routes routes,
      Scaling scaling,
      Starter starter,
      Crashes crashes,
      CrashReport report,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.instances = instances;
    this.routes = routes;
    this.scaling = scaling;
    this.starter = starter;
    this.crashes = crashes;
    this.report = report;
    this.clock = clock;
    instances.onCrash(this::crashed);
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
    database.useTransaction(tx -> {
      adopted.forEach(id -> SleepJob.schedule(tx, id, clock.instant()));
      instances
          .stopping(tx)
          .forEach(id -> Jobs.schedule(tx, DrainJob.KIND, id.value(), clock.instant()));
      records.projects().maySleep(tx).forEach(id -> IdleJob.schedule(tx, id, clock.instant()));
    });
    routes.refresh();
    // What is known to crash is looked at too: it may have settled right before the server ended.
    Set<DeploymentId> toAdjust = new LinkedHashSet<>(database.read(records.crashing()::all));
    toAdjust.forEach(id -> crashes.knownToCrash(id, clock.instant()));
    toAdjust.addAll(database.read(scaling::unadjusted));
    toAdjust.forEach(this::adjustSoon);
    var _ =
        timer.scheduleWithFixedDelay(
            this::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What waits for its time, as it crashed before, goes on waiting. */
  void look() {
    try {
      instances.noticeEnded();
      database.read(scaling::unadjusted).stream()
          .filter(id -> !waiting.containsKey(id) && !adjusting.containsKey(id))
          .forEach(this::adjustSoon);
    } catch (RuntimeException e) { // the next look must come in any case
      log.warn("what should run is looked at later: {}", e.toString());
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
    starts.shutdownNow();
    starts.close();
    starter.close();
  }

  /**
   * Gives what serves a project as many instances as it should have. Where one does not start it is
   * tried again later; this call does not wait for that.
   *
   * @throws TransientException where the engine or the store does not answer
   */
  void adjust(DeploymentId id) throws InterruptedException {
    Instant begun = clock.instant();
    Optional<Started.Failed> failed = scaling.adjust(id);
    if (failed.isPresent()) {
      // Not the message: it may hold what the program printed.
      log.warn("deployment={} could not be started code={}", id, failed.get().failure().code());
      startAgain(id, crashes.addUnstarted(id, begun, clock.instant()), failed.get());
    } else {
      settleLater(id);
    }
  }

  /**
   * {@link #adjust}, on another thread and for as long as it takes. Asked for while it is under
   * way, it is done once more.
   */
  void adjustSoon(DeploymentId id) {
    if (adjusting.merge(id, false, (_, _) -> true)) {
      return;
    }
    starts.execute(() -> {
      try {
        adjustInTurn(id);
      } finally {
        if (!adjusting.remove(id, false)) {
          adjusting.remove(id);
          adjustSoon(id);
        }
      }
    });
  }

  private void adjustInTurn(DeploymentId id) {
    try {
      Optional<Deployment> deployment = database.read(tx -> records.deployments().find(tx, id));
      if (deployment.isPresent()) {
        try (Turns.Turn _ = turns.take(deployment.get().accountId())) {
          adjust(id);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TransientException e) {
      log.warn("deployment={} is not started yet: {}", id, e.toString());
      adjustAfter(id, STORE_OR_ENGINE_AWAY);
    } catch (RuntimeException e) {
      log.error("deployment={} could not be started", id, e);
      Instant now = clock.instant();
      startAgain(
          id, crashes.addUnstarted(id, now, now), new Started.Failed(Moves.INTERNAL, List.of()));
    }
  }

  /** In place of a later time that was chosen before. */
  private void adjustAfter(DeploymentId id, Duration pause) {
    waiting.compute(
        id,
        (_, before) -> {
          if (before != null
              && !before.isDone()
              && before.getDelay(TimeUnit.MILLISECONDS) <= pause.toMillis()) {
            return before;
          }
          if (before != null) {
            before.cancel(false);
          }
          return timer.schedule(() -> adjustNow(id), pause.toMillis(), TimeUnit.MILLISECONDS);
        });
  }

  private void adjustNow(DeploymentId id) {
    waiting.remove(id);
    adjustSoon(id);
  }

  private void crashed(Crash crash) {
    DeploymentId id = crash.deployment();
    try {
      if (!database.read(tx -> records.deployments().isServing(tx, id))) {
        crashes.forget(id);
        return; // a preview: its next request starts it
      }
    } catch (TransientException e) {
      adjustAfter(id, STORE_OR_ENGINE_AWAY);
      return;
    }
    startAgain(id, crashes.add(id, crash.startedAt(), crash.at()), CrashReport.cause(crash));
  }

  private void startAgain(DeploymentId id, CrashCount count, Started.Failed cause) {
    adjustAfter(id, count.pause());
    if (count.many()) {
      log.error("deployment={} crashed {} times in a row", id, count.quick());
      tell(id, cause);
    }
  }

  private void tell(DeploymentId id, Started.Failed cause) {
    try {
      report.crashing(id, cause);
    } catch (RuntimeException e) {
      log.error("deployment={} that it crashes could not be told", id, e);
    }
  }

  /** What runs for a while without a crash has none to its name. */
  private void settleLater(DeploymentId id) {
    CrashCount count = crashes.of(id);
    if (count.quick() > 0) {
      var _ =
          timer.schedule(
              () -> starts.execute(() -> settle(id, count)),
              CrashCount.SETTLED.toMillis(),
              TimeUnit.MILLISECONDS);
    }
  }

  /**
   * @param count as it was a while ago
   */
  void settle(DeploymentId id, CrashCount count) {
    try {
      if (crashes.of(id).equals(count)) {
        report.over(id);
        crashes.forget(id, count);
      }
    } catch (TransientException e) {
      log.warn("deployment={} runs again; told later: {}", id, e.toString());
      settleLater(id);
    }
  }
}
