package dev.slipway.instance;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.edge.HealthCheck;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Target;
import dev.slipway.metric.Use;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runlog.PlainText;
import dev.slipway.runtime.AppRuntime;
import dev.slipway.runtime.Exit;
import dev.slipway.runtime.Printed;
import dev.slipway.runtime.RunningInstance;
import dev.slipway.runtime.Usage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances on this worker's host: each has a row before it is started and until nothing of it
 * is left. Thread-safe; calls block.
 */
public final class Instances {
  private static final Logger log = LoggerFactory.getLogger(Instances.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration STOP_GRACE = Duration.ofSeconds(10);

  private final Database database;
  private final InstanceStore store;
  private final Routes routes;
  private final AppRuntime runtime;
  private final Starting starting;
  private final Waiting waiting;
  private final Clock clock;
  private volatile Consumer<Crash> crashListener = _ -> {};

  /**
   * @param worker whose instances these are: the same for each start of the server on one host
   */
  public Instances(
      Database database,
      String worker,
      Routes routes,
      ReleaseStore releases,
      AppRuntime runtime,
      HealthCheck healthCheck,
      PortPool ports,
      Patience patience,
      Clock clock) {
    this.database = database;
    this.store = new InstanceStore(worker);
    this.routes = routes;
    this.runtime = runtime;
    this.clock = clock;
    this.waiting = new Waiting(runtime, healthCheck, patience);
    this.starting =
        new Starting(
            database, store, releases, runtime, patience, ports, this::end, this::clear, clock);
  }

  /** Who is told when an instance that took requests ends by itself; it must not block. */
  public void onCrash(Consumer<Crash> listener) {
    crashListener = listener;
  }

  /**
   * Starts an instance of a deployment that has answered before, and waits until it does. One that
   * an earlier call for the same deployment left, before a crash of ours, is taken instead.
   *
   * @throws TransientException where the engine or the store does not answer
   */
  public Started start(Launch launch) throws InterruptedException {
    return starting.start(launch, waiting::patiently);
  }

  /**
   * Starts instances of a deployment that has never answered, side by side, and waits until all of
   * them do. They are given up as soon as it is clear that one will not. Those that an earlier call
   * left, before a crash of ours, are taken instead.
   *
   * @param news gets sentences on what one of them does while it is waited for
   * @param answered is told of each that answers, also where another fails after it
   * @return the first that failed
   */
  public Optional<Started.Failed> startFirst(
      Launch launch, int count, Consumer<String> news, Consumer<Target> answered)
      throws InterruptedException {
    return starting.startFirst(
        launch,
        count,
        (it, target) -> waiting.watching(it, target, news),
        (it, target) -> waiting.watching(it, target, _ -> {}),
        answered);
  }

  /**
   * Starts what is missing of so many instances that take requests, side by side; those that are
   * being started are among them. Each is tried, whatever becomes of the others.
   *
   * @param answered is told of each that answers
   * @return the first that failed
   * @throws TransientException where the engine or the store does not answer
   */
  public Optional<Started.Failed> startMissing(Launch launch, int wanted, Consumer<Target> answered)
      throws InterruptedException {
    return starting.startMissing(launch, wanted, waiting::patiently, answered);
  }

  /**
   * Starts one more instance of a deployment beside what takes requests for it, and waits until it
   * answers. One that is being started is taken instead.
   *
   * @throws TransientException where the engine or the store does not answer
   */
  public Started startAnother(Launch launch) throws InterruptedException {
    return starting.startAnother(launch, waiting::patiently);
  }

  /**
   * Lets a started instance take requests, in a transaction of {@link Routes#changing}; false where
   * it was stopped in the meantime.
   */
  public boolean markHealthy(Handle tx, InstanceId id) {
    return store.move(tx, id, InstanceState.STARTING, InstanceState.HEALTHY)
        || store.move(tx, id, InstanceState.HEALTHY, InstanceState.HEALTHY);
  }

  /**
   * From now on a crash of a healthy instance is noticed, one that has happened already included.
   */
  public void watch(DeploymentId deployment, InstanceId id) {
    var _ =
        runtime
            .exit(id)
            .thenAcceptAsync(exit -> ended(deployment, id, exit), Thread::startVirtualThread);
  }

  /** Tells of each instance that took requests and has ended, of which nobody was told. */
  public void noticeEnded() {
    database.read(store::all).stream()
        .filter(instance -> instance.state() == InstanceState.HEALTHY)
        .filter(instance -> runtime.exit(instance.id()).isDone())
        .forEach(this::clear);
  }

  /** The deployment's instances that take requests here. */
  public List<InstanceId> healthy(DeploymentId deployment) {
    return database.read(tx -> healthy(tx, deployment));
  }

  /** How many instances of each deployment take requests here; nothing for none. */
  public Map<DeploymentId, Integer> healthyCounts(Handle tx) {
    return store.all(tx).stream()
        .filter(instance -> instance.state() == InstanceState.HEALTHY)
        .collect(Collectors.toMap(Instance::deploymentId, _ -> 1, Integer::sum));
  }

  /** The same, in the caller's transaction; the oldest first. */
  public List<InstanceId> healthy(Handle tx, DeploymentId deployment) {
    return healthyBefore(tx, deployment, Instant.MAX);
  }

  /** Those of {@link #healthy} that were begun before a moment; the oldest first. */
  public List<InstanceId> healthyBefore(Handle tx, DeploymentId deployment, Instant moment) {
    return store.ofDeployment(tx, deployment).stream()
        .filter(instance -> instance.state() == InstanceState.HEALTHY)
        .filter(instance -> instance.createdAt().isBefore(moment))
        .map(Instance::id)
        .toList();
  }

  /** What takes requests here for deployments of the project that do not serve production. */
  public Map<DeploymentId, InstanceId> awakePreviews(ProjectId project) {
    return database.read(tx -> store.awakePreviews(tx, project)).stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Instance::deploymentId, Instance::id, (first, second) -> second));
  }

  /**
   * Takes the deployment's instances out of the routes, in a transaction of {@link
   * Routes#changing}; answers which.
   */
  public List<InstanceId> withdraw(Handle tx, DeploymentId deployment) {
    List<Instance> instances = store.ofDeployment(tx, deployment);
    for (Instance instance : instances) {
      store.move(tx, instance.id(), instance.state(), InstanceState.STOPPING);
    }
    return instances.stream().map(Instance::id).toList();
  }

  /**
   * Takes one instance out of the routes, in a transaction of {@link Routes#changing}; false where
   * it took no requests any more.
   */
  public boolean withdraw(Handle tx, InstanceId id) {
    return store.move(tx, id, InstanceState.HEALTHY, InstanceState.STOPPING);
  }

  /** What an instance was started with, {@link Launch#variables}; empty where it has ended. */
  public Optional<String> variables(Handle tx, InstanceId id) {
    return store.variables(tx, id);
  }

  /** The deployments of a project that have instances here, in whatever state. */
  public Set<DeploymentId> deploymentsOf(ProjectId project) {
    return database.read(tx -> store.ofProject(tx, project)).stream()
        .map(Instance::deploymentId)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Ends an instance and all that is kept of it; its row goes last. */
  public void end(InstanceId id) {
    uninterrupted(() -> {
      // First: what ends now was asked to, and no route leads to a port that is about to be free.
      if (database.read(tx -> store.isHealthy(tx, id))) {
        routes.changing(tx -> store.stopping(tx, id));
      } else {
        database.useTransaction(tx -> store.stopping(tx, id));
      }
      runtime.stop(id, STOP_GRACE);
      runtime.forget(id);
      database.useTransaction(tx -> store.delete(tx, id));
    });
  }

  /**
   * After an attempt to go live: what takes requests is watched, all else of the deployment ends,
   * save what is being started or drained beside it.
   *
   * @param live whether the deployment is
   */
  public void settle(DeploymentId deployment, boolean live) {
    uninterrupted(() -> {
      boolean serving = false;
      for (Instance instance : database.read(tx -> store.ofDeployment(tx, deployment))) {
        if (live && instance.state() == InstanceState.HEALTHY) {
          watch(deployment, instance.id());
          serving = true;
        } else if (!live || (!serving && instance.state() == InstanceState.STARTING)) {
          end(instance.id());
        }
      }
    });
  }

  /** Ends what is being started of a deployment and takes no requests yet. */
  public void endStarting(DeploymentId deployment) {
    uninterrupted(() ->
        database.read(tx -> store.ofDeployment(tx, deployment)).stream()
            .filter(instance -> instance.state() == InstanceState.STARTING)
            .forEach(instance -> end(instance.id())));
  }

  /** Ends all instances of a deployment here; none may take requests any more. */
  public void endAll(DeploymentId deployment) {
    uninterrupted(() ->
        database.read(tx -> store.ofDeployment(tx, deployment)).forEach(row -> end(row.id())));
  }

  /** Whoever is interrupted still cleans up behind himself. */
  private static void uninterrupted(Runnable work) {
    boolean interrupted = Thread.interrupted();
    try {
      work.run();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends all instances on this worker's host. */
  public void endEverything() {
    database.read(store::all).forEach(row -> end(row.id()));
  }

  /** The deployment's instances here, in any state, oldest first. */
  public List<InstanceId> all(DeploymentId deployment) {
    return database.read(tx -> store.ofDeployment(tx, deployment)).stream()
        .map(Instance::id)
        .toList();
  }

  /** {@link #all} with what each is and takes now. */
  public List<Running> look(DeploymentId deployment) {
    return database.read(tx -> store.ofDeployment(tx, deployment)).stream()
        .map(row ->
            new Running(
                row.id(),
                row.state(),
                row.createdAt(),
                runtime.usage(row.id()).map(Usage::memoryBytes)))
        .toList();
  }

  /** What an instance printed from a place on, in bytes; not masked. */
  public Printed printed(InstanceId id, long from, int maxBytes) {
    return runtime.printed(id, from, maxBytes);
  }

  /** How much it printed since its start, in bytes. */
  public long printedBytes(InstanceId id) {
    return runtime.printedBytes(id);
  }

  /** What each of those takes that take requests, where the engine can tell. */
  public List<Use> uses() {
    List<Use> uses = new ArrayList<>();
    database
        .read(store::serving)
        .forEach((id, project) ->
            runtime
                .usage(id)
                .ifPresent(it -> uses.add(new Use(project, id, it.cpuNanos(), it.memoryBytes()))));
    return uses;
  }

  /** Whether the program has ended, so that it prints no more. */
  public boolean ended(InstanceId id) {
    return runtime.exit(id).isDone();
  }

  /**
   * At the start of the server: takes over what an earlier run of it left running, the very same
   * processes, and ends what should not run. What was being stopped stays until it is drained.
   *
   * @param wanted deployments that serve or can be asked for
   * @param starting deployments whose job is about to go on
   * @return deployments whose instances take requests
   */
  public Set<DeploymentId> recover(Set<DeploymentId> wanted, Set<DeploymentId> starting) {
    Set<DeploymentId> adopted = new HashSet<>();
    List<Instance> rows = database.read(store::all);
    Map<InstanceId, RunningInstance> running =
        runtime.recover(rows.stream().map(Instance::id).collect(Collectors.toUnmodifiableSet()));
    for (Instance instance : rows) {
      boolean runs = running.containsKey(instance.id());
      boolean keep =
          switch (instance.state()) {
            case HEALTHY -> runs && wanted.contains(instance.deploymentId());
            case STARTING -> runs && starting.contains(instance.deploymentId());
            // An edge that is another process may have requests there: it is to be drained.
            case STOPPING -> runs;
          };
      if (keep) {
        log.info(
            "instance={} deployment={} state={} adopted",
            instance.id(),
            instance.deploymentId(),
            instance.state());
        if (instance.state() == InstanceState.HEALTHY) {
          adopted.add(instance.deploymentId());
          watch(instance.deploymentId(), instance.id());
        }
      } else {
        log.info("instance={} deployment={} ended", instance.id(), instance.deploymentId());
        end(instance.id());
      }
    }
    return adopted;
  }

  /** What takes no requests any more here and has not ended. */
  public List<InstanceId> stopping(Handle tx) {
    return store.all(tx).stream()
        .filter(instance -> instance.state() == InstanceState.STOPPING)
        .map(Instance::id)
        .toList();
  }

  /** Ends an instance whose program is gone; one that took requests has crashed. */
  private void clear(Instance instance) {
    if (instance.state() == InstanceState.HEALTHY) {
      ended(instance.deploymentId(), instance.id(), runtime.exit(instance.id()).join());
    } else {
      end(instance.id());
    }
  }

  /** A program ended; where nobody asked it to, its address must not lead there any more. */
  private void ended(DeploymentId deployment, InstanceId id, Exit exit) {
    Instant at = clock.instant(); // before another can be started in its place
    try {
      Optional<Instance> healthy =
          database.read(tx -> store.ofDeployment(tx, deployment)).stream()
              .filter(it -> it.id().equals(id) && it.state() == InstanceState.HEALTHY)
              .findFirst();
      if (healthy.isEmpty() || !routes.changing(tx -> withdraw(tx, id))) {
        return;
      }
      log.warn("instance={} deployment={} crashed status={}", id, deployment, exit.status());
      Crash crash =
          new Crash(
              deployment,
              exit,
              healthy.get().createdAt(),
              at,
              runtime.output(id, Waiting.LAST_LINES).stream().map(PlainText::of).toList());
      crashListener.accept(crash);
      endCrashed(id);
    } catch (RuntimeException storeIsAway) {
      log.warn("instance={} deployment={} ended; told again: {}", id, deployment, storeIsAway);
      later(() -> ended(deployment, id, exit));
    }
  }

  private void endCrashed(InstanceId id) {
    try {
      end(id);
    } catch (RuntimeException storeIsAway) {
      log.warn("instance={} is cleared away later: {}", id, storeIsAway.toString());
      later(() -> endCrashed(id));
    }
  }

  private static void later(Runnable work) {
    var _ =
        CompletableFuture.runAsync(
            work,
            CompletableFuture.delayedExecutor(
                RETRY.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread));
  }
}
