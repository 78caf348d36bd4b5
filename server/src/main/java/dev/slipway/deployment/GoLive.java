package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.core.TransientException;
import dev.slipway.db.Database;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Target;
import dev.slipway.instance.Instances;
import dev.slipway.job.Jobs;
import dev.slipway.project.Project;
import dev.slipway.project.Restart;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The moment of going live: route, project, both deployments' states, log and follow-up job change
 * in one transaction, under the project's lock.
 */
final class GoLive {
  private static final Logger log = LoggerFactory.getLogger(GoLive.class);
  private static final Failure SUPERSEDED =
      new Failure(
          FailureCode.SUPERSEDED, "A newer deployment of the project went live in the meantime.");

  private static final Optional<Failure> RESTART_SUPERSEDED =
      Optional.of(
          new Failure(
              FailureCode.SUPERSEDED,
              "Another deployment went live before the restart was done; it serves now."));

  private final Database database;
  private final Records records;
  private final Variables variables;
  private final Instances instances;
  private final Routes routes;
  private final Addresses addresses;
  private final Moves moves;
  private final Clock clock;

  GoLive(
      Database database,
      Records records,
      Variables variables,
      Instances instances,
      Routes routes,
      Addresses addresses,
      Moves moves,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.variables = variables;
    this.instances = instances;
    this.routes = routes;
    this.addresses = addresses;
    this.moves = moves;
    this.clock = clock;
  }

  /**
   * Puts the deployment into production, or ends it where a newer one is there.
   *
   * @param targets its instances that answered; none for a site
   * @throws TransientException where their variables have changed in the meantime
   */
  void goLive(Deployment deployment, List<Target> targets) {
    boolean live = routes.changing(tx -> goLive(tx, deployment, targets));
    log.info("deployment={} live={}", deployment.id(), live);
  }

  /** Ends a deployment whose program did not start. */
  void fail(Deployment deployment, Failure failure) {
    database.useTransaction(tx -> fail(tx, deployment, failure));
    log.info("deployment={} failed code={}", deployment.id(), failure.code().wireName());
  }

  private void fail(Handle tx, Deployment deployment, Failure failure) {
    records.steps().ended(tx, deployment, StepStore.START, false, clock.instant());
    moves.fail(tx, deployment, failure);
  }

  private void markHealthy(Handle tx, InstanceId instance) {
    if (!instances.markHealthy(tx, instance)) {
      throw new IllegalStateException(instance + " was ended while its deployment went live");
    }
  }

  private boolean goLive(Handle tx, Deployment deployment, List<Target> targets) {
    Instant now = clock.instant();
    Project project = records.projects().lock(tx, deployment.projectId());
    if (records.deployments().newerLive(tx, deployment)) {
      fail(tx, deployment, SUPERSEDED);
      return false;
    }
    if (!targets.stream()
        .allMatch(target -> variables.areCurrent(tx, deployment, target.instance()))) {
      throw new TransientException("the database of " + deployment.id() + " has changed");
    }
    Optional<Deployment> live = moves.live(tx, deployment, addresses.ofApp(project.label()));
    if (live.isEmpty()) {
      return false; // ended, or another attempt's by now
    }
    targets.forEach(target -> markHealthy(tx, target.instance()));
    if (!targets.isEmpty() && targets.size() != project.settings().instances()) {
      ScaleJob.schedule(tx, project.id(), now); // the wish has changed in the meantime
    }
    records.steps().ended(tx, deployment, StepStore.START, true, now);
    Optional<DeploymentId> replaced =
        project.liveDeploymentId().filter(id -> !id.equals(deployment.id()));
    records.projects().setLive(tx, project.id(), deployment.id(), now);
    project
        .restart()
        .filter(Restart::running)
        .ifPresent(restart -> records.restarts().end(tx, restart.id(), RESTART_SUPERSEDED, now));
    deployment.releaseId().ifPresent(release -> records.releases().served(tx, release, now));
    if (deployment.isRollback()) {
      replaced
          .filter(id -> !deployment.origin().rollbackTo().equals(Optional.of(id)))
          .ifPresent(id -> moves.rolledBack(tx, id));
    }
    replaced.ifPresent(id -> Jobs.schedule(tx, RetireJob.KIND, id.value(), now));
    IdleJob.scheduleFor(tx, project, now);
    Jobs.schedule(tx, PruneJob.KIND, project.id().value(), now);
    moves.wentLive(tx, live.get());
    return true;
  }
}
