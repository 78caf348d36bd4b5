package dev.slipway.instance;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.db.Database;
import dev.slipway.edge.Health;
import dev.slipway.edge.HealthCheck;
import dev.slipway.edge.Probe;
import dev.slipway.edge.Target;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runtime.AppRuntime;
import dev.slipway.runtime.Exit;
import dev.slipway.runtime.InstanceSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;

/** From a row to a program that answers, or to the reason why it does not. Thread-safe. */
final class Starting {
  private static final int LAST_LINES = 100;
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final Database database;
  private final InstanceStore store;
  private final ReleaseStore releases;
  private final AppRuntime runtime;
  private final HealthCheck healthCheck;
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
      HealthCheck healthCheck,
      PortPool ports,
      Consumer<InstanceId> end,
      Clock clock) {
    this.database = database;
    this.store = store;
    this.releases = releases;
    this.runtime = runtime;
    this.healthCheck = healthCheck;
    this.ports = ports;
    this.end = end;
    this.clock = clock;
  }

  /** An instance of the deployment that answers; one that takes requests already is as good. */
  Started start(Launch launch) throws InterruptedException {
    while (true) {
      endDead(launch.deployment());
      Instance instance =
          lease(launch.deployment(), earlier -> earlier.state() != InstanceState.STOPPING);
      if (instance.state() != InstanceState.HEALTHY) {
        return start(launch, instance);
      }
      // Whoever asks may know of a crash before we do: then its exit comes in a moment. That says
      // nothing about the next one, which must not begin in its place while it is being cleared.
      Health health = health(launch, target(instance));
      if (health.verdict() != Health.Verdict.ENDED) {
        return judge(launch, instance, health);
      }
    }
  }

  /** An instance of the deployment that answers and takes no requests yet. */
  Started startAnother(Launch launch) throws InterruptedException {
    endDead(launch.deployment());
    return start(
        launch, lease(launch.deployment(), earlier -> earlier.state() == InstanceState.STARTING));
  }

  private Started start(Launch launch, Instance instance) throws InterruptedException {
    InstanceSpec spec =
        new InstanceSpec(
            instance.id(),
            List.of(releases.tree(launch.release())),
            launch.program(),
            launch.tools(),
            launch.env(),
            instance.port(),
            launch.limits());
    try {
      runtime.start(spec);
      return judge(launch, instance, health(launch, target(instance)));
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
    if (health.healthy() && runtime.listening(instance.id())) {
      return new Started.Healthy(target(instance));
    }
    Failure failure = failure(instance, health, launch);
    List<String> lastLines = runtime.output(instance.id(), LAST_LINES);
    end.accept(instance.id());
    return new Started.Failed(failure, lastLines);
  }

  /** As the route table has it. */
  private static Target target(Instance instance) {
    return new Target(instance.id(), "127.0.0.1", instance.port());
  }

  private Health health(Launch launch, Target target) throws InterruptedException {
    try {
      return healthCheck
          .await(target, launch.healthCheckPath(), START_LIMIT, runtime.exit(target.instance()))
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a health check never fails", e);
    }
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

  private Failure failure(Instance instance, Health health, Launch launch) {
    Exit exit = runtime.exit(instance.id()).getNow(Exit.UNKNOWN);
    if (exit.outOfMemory()) {
      return new Failure(
          FailureCode.OUT_OF_MEMORY,
          "The program needed more than the %d MiB of its instance type and was ended; choose a larger instance_type."
              .formatted(launch.limits().memoryMb()));
    }
    return switch (health.verdict()) {
      case ENDED ->
          new Failure(
              FailureCode.START_FAILED,
              "The program ended with status %d before it answered on port %d."
                  .formatted(exit.status(), instance.port()));
      case TIMED_OUT ->
          new Failure(FailureCode.HEALTH_CHECK_FAILED, timedOut(health, launch.healthCheckPath()));
      case HEALTHY ->
          new Failure(
              FailureCode.HEALTH_CHECK_FAILED,
              "Another program of the host answers on port %d.".formatted(instance.port()));
    };
  }

  private static String timedOut(Health health, String path) {
    if (health.last().orElse(null) instanceof Probe.Answered(int status)) {
      return "The program answered GET %s with status %d for %d s. Any status below 500 is healthy."
          .formatted(path, status, START_LIMIT.toSeconds());
    }
    return "The program was not healthy after %d s: %s. It must listen on the port that PORT names and answer GET %s with a status below 500."
        .formatted(
            START_LIMIT.toSeconds(),
            health.last().map(Probe::sentence).orElse("nothing answered"),
            path);
  }
}
