package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.InstanceId;
import dev.slipway.db.Database;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Target;
import dev.slipway.instance.Instances;
import dev.slipway.instance.Started;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives what serves a project as many instances as its owner wants: what is missing is started,
 * what is too much leaves the routes and is drained. Thread-safe; may run several times at once.
 */
final class Scaling {
  private static final Logger log = LoggerFactory.getLogger(Scaling.class);

  private final Database database;
  private final Records records;
  private final Launcher launcher;
  private final Variables variables;
  private final Instances instances;
  private final Routes routes;
  private final Clock clock;

  Scaling(
      Database database,
      Records records,
      Launcher launcher,
      Variables variables,
      Instances instances,
      Routes routes,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.launcher = launcher;
    this.variables = variables;
    this.instances = instances;
    this.routes = routes;
    this.clock = clock;
  }

  /**
   * Does nothing for a deployment that does not serve its project, and for a site.
   *
   * @return the first that did not start; those that did take requests all the same
   */
  Optional<Started.Failed> adjust(DeploymentId id) throws InterruptedException {
    Optional<Deployment> serving = database.read(tx -> servingProgram(tx, id));
    if (serving.isEmpty()) {
      return Optional.empty();
    }
    Deployment deployment = serving.get();
    int surplus = database.read(tx -> -missing(tx, deployment));
    if (surplus > 0) {
      withdrawSurplus(deployment);
      return Optional.empty();
    }
    if (surplus == 0) {
      return Optional.empty();
    }
    int wanted = database.read(tx -> project(tx, deployment).settings().instances());
    return launcher.startMissing(deployment, wanted, target -> takeRequests(deployment, target));
  }

  /** What serves a project with more or fewer instances than its owner wants. */
  List<DeploymentId> unadjusted(Handle tx) {
    Map<DeploymentId, Integer> running = instances.healthyCounts(tx);
    return records.deployments().wantedInstances(tx).entrySet().stream()
        .filter(wanted -> running.getOrDefault(wanted.getKey(), 0) != (int) wanted.getValue())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** How many more instances should take requests; negative where there are too many. */
  private int missing(Handle tx, Deployment deployment) {
    if (records.projects().isAsleep(tx, deployment.projectId())) {
      return 0; // its next request starts it
    }
    return project(tx, deployment).settings().instances()
        - instances.healthy(tx, deployment.id()).size();
  }

  private Optional<Deployment> servingProgram(Handle tx, DeploymentId id) {
    return records
        .deployments()
        .find(tx, id)
        .filter(it -> records.deployments().isServing(tx, id) && !records.isSite(tx, it));
  }

  private Project project(Handle tx, Deployment deployment) {
    return records.projects().find(tx, deployment.projectId()).orElseThrow();
  }

  /** The oldest stay: they have been seen to work. */
  private void withdrawSurplus(Deployment deployment) {
    List<InstanceId> withdrawn =
        routes.changing(tx -> {
          Project project = records.projects().lock(tx, deployment.projectId());
          List<InstanceId> surplus =
              instances.healthy(tx, deployment.id()).stream()
                  .skip(project.settings().instances())
                  .filter(instance -> instances.withdraw(tx, instance))
                  .toList();
          surplus.forEach(it -> Jobs.schedule(tx, DrainJob.KIND, it.value(), clock.instant()));
          return surplus;
        });
    log.info("deployment={} instances withdrawn={}", deployment.id(), withdrawn.size());
  }

  private void takeRequests(Deployment deployment, Target target) {
    boolean taken;
    try {
      taken = routes.changing(tx -> takesRequests(tx, deployment, target));
    } finally {
      // What an exception says of a commit may be wrong.
      instances.watch(deployment.id(), target.instance());
    }
    if (taken) {
      log.info("deployment={} instance={} takes requests", deployment.id(), target.instance());
    } else {
      instances.end(target.instance());
    }
  }

  private boolean takesRequests(Handle tx, Deployment deployment, Target target) {
    Project project = records.projects().lock(tx, deployment.projectId());
    List<InstanceId> healthy = instances.healthy(tx, deployment.id());
    return project.liveDeploymentId().equals(Optional.of(deployment.id()))
        && !records.projects().isAsleep(tx, project.id())
        && (healthy.contains(target.instance())
            || (healthy.size() < project.settings().instances()
                && variables.areCurrent(tx, deployment, target.instance())))
        && instances.markHealthy(tx, target.instance());
  }
}
