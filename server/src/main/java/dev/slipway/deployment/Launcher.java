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
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the kept release of a deployment with the deployment's own variables. */
final class Launcher {
  private static final Logger log = LoggerFactory.getLogger(Launcher.class);

  private final Database database;
  private final Records records;
  private final Instances instances;
  private final Toolbox toolbox;
  private final Map<String, Limits> instanceTypes;

  /**
   * @param instanceTypes by the name that the API shows
   */
  Launcher(
      Database database,
      Records records,
      Instances instances,
      Toolbox toolbox,
      Map<String, Limits> instanceTypes) {
    this.database = database;
    this.records = records;
    this.instances = instances;
    this.toolbox = toolbox;
    this.instanceTypes = Map.copyOf(instanceTypes);
  }

  /** {@link Instances#startFirst}. */
  Optional<Started.Failed> startFirst(
      Deployment deployment, int count, Consumer<String> news, Consumer<Target> answered)
      throws InterruptedException {
    try {
      return instances.startFirst(launch(deployment), count, news, answered);
    } catch (AppFailure e) {
      return Optional.of(new Started.Failed(e.failure(), List.of()));
    }
  }

  /** {@link Instances#startMissing}. */
  Optional<Started.Failed> startMissing(
      Deployment deployment, int wanted, Consumer<Target> answered) throws InterruptedException {
    try {
      return instances.startMissing(launch(deployment), wanted, answered);
    } catch (AppFailure e) {
      return Optional.of(new Started.Failed(e.failure(), List.of()));
    }
  }

  /**
   * Starts an instance of what has answered before, and waits until it does; fails where its
   * release is not kept any more.
   */
  Started start(Deployment deployment) throws InterruptedException {
    try {
      return instances.start(launch(deployment));
    } catch (AppFailure e) {
      return new Started.Failed(e.failure(), List.of());
    }
  }

  /** {@link #start}, one more beside what serves. */
  Started startAnother(Deployment deployment) throws InterruptedException {
    try {
      return instances.startAnother(launch(deployment));
    } catch (AppFailure e) {
      return new Started.Failed(e.failure(), List.of());
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
    EnvVars env = new EnvVars(program.env()).with(records.deployments().env(tx, deployment.id()));
    Settings settings =
        records.projects().find(tx, deployment.projectId()).orElseThrow().settings();
    return new Launch(
        deployment.id(),
        release.release().id(),
        program,
        tools,
        env,
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
