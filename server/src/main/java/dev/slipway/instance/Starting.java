package dev.slipway.instance;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Holds;
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
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** From a row to a program that answers, or to the reason why it does not. Thread-safe. */
final class Starting {
  /** From the death of a process until its exit is known. */
  private static final Duration EXIT_IS_TOLD = Duration.ofSeconds(2);

  private static final Started STOPPED =
      new Started.Failed(
          new Failure(FailureCode.START_FAILED, "The program was stopped while it started."),
          List.of());

  private final Database database;
  private final InstanceStore store;
  private final ReleaseStore releases;
  private final AppRuntime runtime;
  private final Patience patience;
  private final PortPool ports;
  private final Consumer<InstanceId> end;
  private final Consumer<Instance> clear;
  private final Clock clock;

  /** From the lease until it is known whether they answer. */
  private final Holds<InstanceId> beingStarted = new Holds<>();

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
      Instance instance =
          lease(
              launch,
              earlier -> earlier.state() == InstanceState.HEALTHY || isBegun(earlier, launch));
      Optional<Started> started =
          instance.state() == InstanceState.HEALTHY
              ? judgeServing(launch, instance, waiting.await(launch, target(instance)))
              : startHeld(launch, instance, waiting);
      if (started.isPresent()) {
        return started.get();
      }
    }
  }

  /** One more instance of the deployment, which answers and takes no requests yet. */
  Started startAnother(Launch launch, Waiting.Way waiting) throws InterruptedException {
    while (true) {
      Instance instance = lease(launch, earlier -> isBegun(earlier, launch));
      Optional<Started> started = startHeld(launch, instance, waiting);
      if (started.isPresent()) {
        return started.get();
      }
    }
  }

  /**
   * As many instances of a deployment that has never answered: all of them answer, or the first
   * failure is told and the others are ended, save those that answered before it.
   */
  Optional<Started.Failed> startFirst(
      Launch launch, int count, Waiting.Way one, Waiting.Way others, Consumer<Target> answered)
      throws InterruptedException {
    List<Instance> instances = leaseMissing(launch, count);
    try {
      endAllBut(launch.deployment(), instances);
      List<Callable<Optional<Started>>> starts =
          starts(launch, instances, one, others).stream().map(Starting::orStopped).toList();
      return Together.start(starts, true, answered);
    } finally {
      beingStarted.remove(ids(instances));
    }
  }

  /** What is missing of so many instances that take requests. */
  Optional<Started.Failed> startMissing(
      Launch launch, int wanted, Waiting.Way waiting, Consumer<Target> answered)
      throws InterruptedException {
    List<Instance> instances = leaseMissing(launch, wanted);
    try {
      return Together.start(starts(launch, instances, waiting, waiting), false, answered);
    } finally {
      beingStarted.remove(ids(instances));
    }
  }

  private List<Callable<Optional<Started>>> starts(
      Launch launch, List<Instance> instances, Waiting.Way one, Waiting.Way others) {
    return instances.stream()
        .<Callable<Optional<Started>>>map(
            it -> () -> start(launch, it, it.equals(instances.getFirst()) ? one : others))
        .toList();
  }

  private static Callable<Optional<Started>> orStopped(Callable<Optional<Started>> start) {
    return () -> Optional.of(start.call().orElse(STOPPED));
  }

  private Optional<Started> startHeld(Launch launch, Instance instance, Waiting.Way waiting)
      throws InterruptedException {
    try {
      return start(launch, instance, waiting);
    } finally {
      beingStarted.remove(ids(List.of(instance)));
    }
  }

  /** Empty where somebody else has ended the instance, which says nothing about the program. */
  private Optional<Started> start(Launch launch, Instance instance, Waiting.Way waiting)
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
      if (!isWanted(instance)) {
        end.accept(instance.id()); // it was ended before it began, and would run unseen
        return Optional.empty();
      }
      return judge(launch, instance, waiting.await(launch, target(instance)));
    } catch (AppFailure notExecutable) {
      end.accept(instance.id());
      return Optional.of(new Started.Failed(notExecutable.failure(), List.of()));
    } catch (InterruptedException e) {
      end.accept(instance.id());
      throw e;
    }
  }

  /**
   * Of an instance that takes requests. Whoever asks for another may know of its crash before we
   * do; that says nothing about the next one, which must not begin in its place while it is being
   * cleared.
   */
  private Optional<Started> judgeServing(Launch launch, Instance instance, Health health)
      throws InterruptedException {
    boolean crashed =
        switch (health.verdict()) {
          case ENDED -> true;
          case HEALTHY -> !listens(instance) && endsSoon(instance);
          case GIVEN_UP, TIMED_OUT -> false;
        };
    return crashed ? Optional.empty() : judge(launch, instance, health);
  }

  private boolean endsSoon(Instance instance) throws InterruptedException {
    try {
      runtime.exit(instance.id()).get(EXIT_IS_TOLD.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an exit never fails", e);
    }
  }

  private Optional<Started> judge(Launch launch, Instance instance, Health health) {
    if (health.healthy() && listens(instance)) {
      return Optional.of(new Started.Healthy(target(instance)));
    }
    if (!isWanted(instance)) {
      return Optional.empty();
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
    return Optional.of(new Started.Failed(failure, lastLines));
  }

  /** Only its own answer counts: on a port that is shared with the host anyone may listen. */
  private boolean listens(Instance instance) {
    return runtime.ports(instance.id()).contains(instance.port());
  }

  private boolean isWanted(Instance instance) {
    return database.read(tx -> store.isWanted(tx, instance.id()));
  }

  /** As the route table has it. */
  private static Target target(Instance instance) {
    return new Target(instance.id(), "127.0.0.1", instance.port());
  }

  /** An earlier instance that will do, else a new one with a port of its own. */
  private Instance lease(Launch launch, Predicate<Instance> willDo) {
    return lease(
            launch,
            (tx, present) ->
                List.of(
                    present.stream()
                        .filter(willDo)
                        .min(Comparator.comparing(it -> it.state() != InstanceState.HEALTHY))
                        .orElseGet(() -> leaseNew(tx, launch))))
        .getFirst();
  }

  /** Its row says which variables its program has: it is not begun with others. */
  private static boolean isBegun(Instance instance, Launch launch) {
    return instance.state() == InstanceState.STARTING
        && instance.variables().equals(launch.variables());
  }

  /** As many as are missing of those that take requests: what is being started, and new ones. */
  private List<Instance> leaseMissing(Launch launch, int wanted) {
    return lease(
        launch,
        (tx, present) -> {
          long healthy = present.stream().filter(it -> it.state() == InstanceState.HEALTHY).count();
          int missing = wanted - (int) healthy;
          List<Instance> leased =
              new ArrayList<>(
                  present.stream()
                      .filter(it -> isBegun(it, launch))
                      .limit(Math.max(0, missing))
                      .toList());
          while (leased.size() < missing) {
            leased.add(leaseNew(tx, launch));
          }
          return leased;
        });
  }

  /** Those that are chosen and take no requests yet are held: whoever asks lets go of them. */
  private List<Instance> lease(
      Launch launch, BiFunction<Handle, List<Instance>, List<Instance>> choice) {
    endLeftOver(launch);
    Set<InstanceId> held = new HashSet<>();
    try {
      return database.inTransaction(tx -> {
        store.lock(tx, launch.deployment());
        List<Instance> chosen = choice.apply(tx, store.ofDeployment(tx, launch.deployment()));
        // Before the commit, by which others see them.
        held.addAll(
            ids(chosen.stream().filter(it -> it.state() == InstanceState.STARTING).toList()));
        beingStarted.add(held);
        return chosen;
      });
    } catch (RuntimeException e) {
      beingStarted.remove(held);
      throw e;
    }
  }

  /**
   * What ended while nobody could write it down is out of the way before a new one is leased, and
   * so is what a start that was cut off began with other variables. What somebody is starting has
   * not ended: the engine may not know it yet.
   */
  private void endLeftOver(Launch launch) {
    List<Instance> present = database.read(tx -> store.ofDeployment(tx, launch.deployment()));
    Set<InstanceId> started = beingStarted.all(); // after it, or one of them may not be held yet
    present.stream()
        .filter(instance -> !started.contains(instance.id()))
        .filter(instance ->
            runtime.exit(instance.id()).isDone()
                || (instance.state() == InstanceState.STARTING && !isBegun(instance, launch)))
        .forEach(clear);
  }

  private static Set<InstanceId> ids(List<Instance> instances) {
    return instances.stream().map(Instance::id).collect(Collectors.toUnmodifiableSet());
  }

  /** A run that was cut off may have begun more of them. */
  private void endAllBut(DeploymentId deployment, List<Instance> wanted) {
    database.read(tx -> store.ofDeployment(tx, deployment)).stream()
        .filter(it -> it.state() == InstanceState.STARTING && !wanted.contains(it))
        .map(Instance::id)
        .forEach(end);
  }

  private Instance leaseNew(Handle tx, Launch launch) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS); // as the store has it
    while (true) {
      OptionalInt port = ports.free(store.leasedPorts(tx));
      if (port.isEmpty()) {
        throw new AppFailure(
            FailureCode.START_FAILED,
            "No port is free for another program: stop one, or widen runtime.ports.");
      }
      Instance instance =
          new Instance(
              InstanceId.next(),
              launch.deployment(),
              launch.variables(),
              port.getAsInt(),
              InstanceState.STARTING,
              now);
      if (store.insert(tx, instance)) {
        return instance;
      }
    }
  }
}
