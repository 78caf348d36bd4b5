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
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
  private final Clock clock;

  /**
   * @param end ends an instance; nothing of it is left when it returns
   */
  Starting(
      Database database,
      InstanceStore store,
      ReleaseStore releases,
      AppRuntime runtime,
      Patience patience,
      PortPool ports,
      Consumer<InstanceId> end,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.releases = releases;
    this.runtime = runtime;
    this.patience = patience;
    this.ports = ports;
    this.end = end;
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
        .map(Instance::id)
        .filter(id -> runtime.exit(id).isDone())
        .forEach(end);
  }

  /** An earlier instance that will do, else a new one with a port of its own. */
  private Instance lease(DeploymentId deployment, Predicate<Instance> willDo) {
    return database.inTransaction(tx -> {
      Optional<Instance> earlier =
          store.ofDeployment(tx, deployment).stream().filter(willDo).findFirst();
      return earlier.orElseGet(() -> leaseNew(tx, deployment));
    });
  }

  private Instance leaseNew(Handle tx, DeploymentId deployment) {
    while (true) {
      OptionalInt port = ports.free(store.leasedPorts(tx));
      if (port.isEmpty()) {
        throw new AppFailure(
            FailureCode.START_FAILED,
            "No port is free for another program: stop one, or widen runtime.ports.");
      }
      Instance instance =
          new Instance(InstanceId.next(), deployment, port.getAsInt(), InstanceState.STARTING);
      if (store.insert(tx, instance, clock.instant())) {
        return instance;
      }
    }
  }
}
