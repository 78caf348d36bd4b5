package dev.slipway.deployment;

import dev.slipway.core.AppFailure;
import dev.slipway.core.EnvVars;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Limits;
import dev.slipway.core.Serving;
import dev.slipway.db.Database;
import dev.slipway.edge.Target;
import dev.slipway.instance.Instances;
import dev.slipway.instance.Launch;
import dev.slipway.instance.Started;
import dev.slipway.project.Settings;
import dev.slipway.release.ReleaseRecord;
import dev.slipway.runtime.InstanceSpec;
import dev.slipway.tool.Provision;
import dev.slipway.tool.Toolbox;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the kept release of a deployment with the deployment's variables. */
final class Launcher {
  private static final Logger log = LoggerFactory.getLogger(Launcher.class);

  private final Database database;
  private final Records records;
  private final Variables variables;
  private final Instances instances;
  private final Toolbox toolbox;
  private final Map<String, Limits> instanceTypes;

  /**
   * @param instanceTypes by the name that the API shows
   */
  Launcher(
      Database database,
      Records records,
      Variables variables,
      Instances instances,
      Toolbox toolbox,
      Map<String, Limits> instanceTypes) {
    this.database = database;
    this.records = records;
    this.variables = variables;
    this.instances = instances;
    this.toolbox = toolbox;
    this.instanceTypes = Map.copyOf(instanceTypes);
  }

  /** {@link Instances#startFirst}. */
  Optional<Started.Failed> startFirst(
      Deployment deployment, int count, Consumer<String> news, Consumer<Target> answered)
      throws InterruptedException {
    return missing(deployment, launch -> instances.startFirst(launch, count, news, answered));
  }

  /** {@link Instances#startMissing}. */
  Optional<Started.Failed> startMissing(
      Deployment deployment, int wanted, Consumer<Target> answered) throws InterruptedException {
    return missing(deployment, launch -> instances.startMissing(launch, wanted, answered));
  }

  /**
   * Starts an instance of what has answered before, and waits until it does; fails where its
   * release is not kept any more.
   */
  Started start(Deployment deployment) throws InterruptedException {
    return one(deployment, instances::start);
  }

  /** {@link #start}, one more beside what serves. */
  Started startAnother(Deployment deployment) throws InterruptedException {
    return one(deployment, instances::startAnother);
  }

  private interface Start<T> {
    T with(Launch launch) throws InterruptedException;
  }

  private Started one(Deployment deployment, Start<Started> start) throws InterruptedException {
    try {
      return current(deployment, start, Started.Failed.class::isInstance);
    } catch (AppFailure e) {
      return new Started.Failed(e.failure(), List.of());
    }
  }

  private Optional<Started.Failed> missing(
      Deployment deployment, Start<Optional<Started.Failed>> start) throws InterruptedException {
    try {
      return current(deployment, start, Optional::isPresent);
    } catch (AppFailure e) {
      return Optional.of(new Started.Failed(e.failure(), List.of()));
    }
  }

  /** A failure with variables that are outdated by then says nothing: another start has others. */
  private <T> T current(Deployment deployment, Start<T> start, Predicate<T> failed)
      throws InterruptedException {
    while (true) {
      Launch launch = launch(deployment);
      T result = start.with(launch);
      if (!failed.test(result)
          || database.read(tx -> variables.version(tx, deployment)).equals(launch.variables())) {
        return result;
      }
    }
  }

  private Launch launch(Deployment deployment) throws InterruptedException {
    ReleaseRecord release = database.read(tx -> kept(tx, deployment));
    InstanceSpec.Tools tools = tools(deployment, release); // may be fetched: in no transaction
    return database.read(tx -> launch(tx, deployment, release, tools));
  }

  private ReleaseRecord kept(Handle tx, Deployment deployment) {
    return deployment
        .releaseId()
        .flatMap(id -> records.releases().findKept(tx, id))
        .orElseThrow(() ->
            new AppFailure(
                FailureCode.START_FAILED,
                "The release of " + deployment.id() + " is not kept any more."));
  }

  private InstanceSpec.Tools tools(Deployment deployment, ReleaseRecord release)
      throws InterruptedException {
    try {
      Provision provision = toolbox.again(release.tools());
      provision.warnings().forEach(it -> log.warn("deployment={} {}", deployment.id(), it));
      return new InstanceSpec.Tools(provision.directories(), provision.path());
    } catch (AppFailure e) {
      throw new AppFailure(FailureCode.START_FAILED, e.failure().message(), e);
    }
  }

  private Launch launch(
      Handle tx, Deployment deployment, ReleaseRecord release, InstanceSpec.Tools tools) {
    Limits limits = instanceTypes.get(deployment.instanceType());
    if (limits == null) {
      throw new AppFailure(
          FailureCode.START_FAILED,
          "The instance type %s is not configured any more: choose another for the project."
              .formatted(deployment.instanceType()));
    }
    if (!(release.serving() instanceof Serving.Program program)) {
      throw new IllegalStateException(deployment.id() + " is a site and has no program");
    }
    Given given = variables.give(tx, deployment);
    Settings settings =
        records.projects().find(tx, deployment.projectId()).orElseThrow().settings();
    return new Launch(
        deployment.id(),
        release.release().id(),
        program,
        tools,
        new EnvVars(program.env()).with(given.all()),
        given.managed().version(),
        limits,
        healthCheckPath(settings, program));
  }

  private static String healthCheckPath(Settings settings, Serving.Program program) {
    return settings
        .overrides()
        .healthCheckPath()
        .or(program::healthCheckPath)
        .orElse(Settings.HEALTH_CHECK_PATH);
  }
}
