package dev.slipway.instance;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.db.Database;
import dev.slipway.edge.Health;
import dev.slipway.edge.Target;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runlog.PlainText;
import dev.slipway.runtime.AppRuntime;
import dev.slipway.runtime.Exit;
import dev.slipway.runtime.InstanceSpec;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** From a row to a program that answers, or to the reason why it does not. Thread-safe. */
final class Starting {
  private final Database database;
  private final InstanceStore store;
  private final ReleaseStore releases;
  private final AppRuntime runtime;
  private final Patience patience;
  private final PortPool ports;
  private final Consumer<InstanceId> end;
  private final Consumer<Instance> clear;
  private final Clock clock;

  /**
   * @param end ends an instance; nothing of it is left when it returns
   * @param clear the same for one whose program is gone: it may be that nobody has noticed
   */
  Starting(
      Database database,
      InstanceStore store,
      ReleaseStore releases,
      AppRuntime runtime,
      Patience patience,
      PortPool ports,
      Consumer<InstanceId> end,
      Consumer<Instance> clear,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.releases = releases;
    this.runtime = runtime;
    this.patience = patience;
    this.ports = ports;
    this.end = end;
    this.clear = clear;
    this.clock = clock;
  }

  /** An instance of the deployment that answers; one that takes requests already is as good. */
  Started start(Launch launch, Waiting.Way waiting) throws InterruptedException {
    while (true) {
      endDead(launch.deployment());
      Instance instance =
          lease(launch.deployment(), earlier -> earlier.state() != InstanceState.STOPPING);
      if (instance.state() != InstanceState.HEALTHY) {
        return start(launch, instance, waiting);
      }
      // Whoever asks may know of a crash before we do: then its exit comes in a moment. That says
      // nothing about the next one, which must not begin in its place while it is being cleared.
      Health health = waiting.await(launch, target(instance));
      if (health.verdict() != Health.Verdict.ENDED) {
        return judge(launch, instance, health);
      }
    }
  }

  /** An instance of the deployment that answers and takes no requests yet. */
  Started startAnother(Launch launch, Waiting.Way waiting) throws InterruptedException {
    endDead(launch.deployment());
    return start(
        launch,
        lease(launch.deployment(), earlier -> earlier.state() == InstanceState.STARTING),
        waiting);
  }

  /**
   * As many instances of a deployment that has never answered: all of them answer, or the first
   * failure is told and the others are ended, save those that answered before it.
   */
  Optional<Started.Failed> startFirst(
      Launch launch, int count, Waiting.Way one, Waiting.Way others, Consumer<Target> answered)
      throws InterruptedException {
    endDead(launch.deployment());
    List<Instance> instances = leaseMissing(launch.deployment(), count);
    endAllBut(launch.deployment(), instances);
    return Together.start(starts(launch, instances, one, others), true, answered);
  }

  /** What is missing of so many instances that take requests. */
  Optional<Started.Failed> startMissing(
      Launch launch, int wanted, Waiting.Way waiting, Consumer<Target> answered)
      throws InterruptedException {
    endDead(launch.deployment());
    List<Instance> instances = leaseMissing(launch.deployment(), wanted);
    return Together.start(starts(launch, instances, waiting, waiting), false, answered);
  }

  private List<Callable<Started>> starts(
      Launch launch, List<Instance> instances, Waiting.Way one, Waiting.Way others) {
    return instances.stream()
        .<Callable<Started>>map(
            it -> () -> start(launch, it, it.equals(instances.getFirst()) ? one : others))
        .toList();
  }

  private Started start(Launch launch, Instance instance, Waiting.Way waiting)
      throws InterruptedException {
    InstanceSpec spec =
        new InstanceSpec(
            instance.id(),
            releases.trees(launch.release()),
            launch.program(),
            launch.tools(),
            launch.env(),
            instance.port(),
            launch.limits());
    try {
      runtime.start(spec);
      return judge(launch, instance, waiting.await(launch, target(instance)));
    } catch (AppFailure notExecutable) {
      end.accept(instance.id());
      return new Started.Failed(notExecutable.failure(), List.of());
    } catch (InterruptedException e) {
      end.accept(instance.id());
      throw e;
    }
  }

  private Started judge(Launch launch, Instance instance, Health health) {
    // Only its own answer counts: on a port that is shared with the host anyone may listen.
    if (health.healthy() && runtime.ports(instance.id()).contains(instance.port())) {
      return new Started.Healthy(target(instance));
    }
    List<String> lastLines =
        runtime.output(instance.id(), Waiting.LAST_LINES).stream().map(PlainText::of).toList();
    Failure failure =
        new StartFailure(
                runtime.exit(instance.id()).getNow(Exit.UNKNOWN),
                health,
                runtime.ports(instance.id()),
                instance.port(),
                lastLines,
                launch)
            .failure(patience);
    end.accept(instance.id());
    return new Started.Failed(failure, lastLines);
  }

  /** As the route table has it. */
  private static Target target(Instance instance) {
    return new Target(instance.id(), "127.0.0.1", instance.port());
  }

  /** What ended while nobody could write it down is out of the way before a new one is leased. */
  private void endDead(DeploymentId deployment) {
    database.read(tx -> store.ofDeployment(tx, deployment)).stream()
        .filter(instance -> runtime.exit(instance.id()).isDone())
        .forEach(clear);
  }

  /** An earlier instance that will do, else a new one with a port of its own. */
  private Instance lease(DeploymentId deployment, Predicate<Instance> willDo) {
    return database.inTransaction(tx -> {
      store.lock(tx, deployment);
      Optional<Instance> earlier =
          store.ofDeployment(tx, deployment).stream()
              .filter(willDo)
              .min(Comparator.comparing(it -> it.state() != InstanceState.HEALTHY));
      return earlier.orElseGet(() -> leaseNew(tx, deployment));
    });
  }

  /** As many as are missing of those that take requests: what is being started, and new ones. */
  private List<Instance> leaseMissing(DeploymentId deployment, int wanted) {
    return database.inTransaction(tx -> {
      store.lock(tx, deployment);
      Map<InstanceState, List<Instance>> present =
          store.ofDeployment(tx, deployment).stream()
              .collect(Collectors.groupingBy(Instance::state));
      int missing = wanted - present.getOrDefault(InstanceState.HEALTHY, List.of()).size();
      List<Instance> leased =
          new ArrayList<>(
              present.getOrDefault(InstanceState.STARTING, List.of()).stream()
                  .limit(Math.max(0, missing))
                  .toList());
      while (leased.size() < missing) {
        leased.add(leaseNew(tx, deployment));
      }
      return leased;
    });
  }

  /** A run that was cut off may have begun more of them. */
  private void endAllBut(DeploymentId deployment, List<Instance> wanted) {
    database.read(tx -> store.ofDeployment(tx, deployment)).stream()
        .filter(it -> it.state() == InstanceState.STARTING && !wanted.contains(it))
        .map(Instance::id)
        .forEach(end);
  }

  private Instance leaseNew(Handle tx, DeploymentId deployment) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS); // as the store has it
    while (true) {
      OptionalInt port = ports.free(store.leasedPorts(tx));
      if (port.isEmpty()) {
        throw new AppFailure(
            FailureCode.START_FAILED,
            "No port is free for another program: stop one, or widen runtime.ports.");
      }
      Instance instance =
          new Instance(InstanceId.next(), deployment, port.getAsInt(), InstanceState.STARTING, now);
      if (store.insert(tx, instance)) {
        return instance;
      }
    }
  }
}
