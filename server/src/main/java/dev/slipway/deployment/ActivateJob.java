package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.DEPLOYING;
import static dev.slipway.deployment.DeploymentStatus.QUEUED;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Failure;
import dev.slipway.core.Turns;
import dev.slipway.db.Database;
import dev.slipway.edge.Target;
import dev.slipway.instance.Instances;
import dev.slipway.instance.Started;
import dev.slipway.job.Job;
import dev.slipway.runlog.Masker;
import dev.slipway.runlog.RunLog;
import dev.slipway.runlog.RunLogs;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/**
 * From a kept release to live: start, health check, route. A site has nothing to start. The one
 * that served before goes on serving until the route moves, and on every failure.
 */
final class ActivateJob implements Job {
  static final Kind KIND = new Kind("activate", Queue.WORK);
  private static final Duration TURN = Duration.ofMillis(200);

  private final Database database;
  private final Records records;
  private final Attempts attempts;
  private final Launcher launcher;
  private final Variables variables;
  private final Instances instances;
  private final GoLive goLive;
  private final RunLogs logs;
  private final Turns turns;
  private final Clock clock;

  /**
   * @param turns of jobs that wait for programs
   */
  ActivateJob(
      Database database,
      Records records,
      Attempts attempts,
      Launcher launcher,
      Variables variables,
      Instances instances,
      GoLive goLive,
      RunLogs logs,
      Turns turns,
      Clock clock) {
    this.database = database;
    this.records = records;
    this.attempts = attempts;
    this.launcher = launcher;
    this.variables = variables;
    this.instances = instances;
    this.goLive = goLive;
    this.logs = logs;
    this.turns = turns;
    this.clock = clock;
  }

  @Override
  public Kind kind() {
    return KIND;
  }

  @Override
  public Outcome run(String subjectId) throws InterruptedException {
    DeploymentId id = new DeploymentId(subjectId);
    // A rollback under way decides first what serves: those asked for after it wait for it.
    if (database.read(tx -> records.deployments().olderRollbackUnfinished(tx, id))) {
      return new Outcome.Again(TURN);
    }
    if (database.read(tx -> variables.areComing(tx, id))) {
      return new Outcome.Again(BuildJob.DATABASE_PAUSE);
    }
    Optional<Turns.Turn> turn = turns.tryTake(account(id));
    if (turn.isEmpty()) {
      return new Outcome.Again(TURN);
    }
    try (Turns.Turn _ = turn.get()) {
      return attempt(id);
    }
  }

  private AccountId account(DeploymentId id) {
    return database.read(tx -> records.deployments().find(tx, id)).orElseThrow().accountId();
  }

  private Outcome attempt(DeploymentId id) throws InterruptedException {
    return attempts.attempt(
        id, QUEUED, DEPLOYING, this::activate, failed -> instances.settle(failed.id(), false));
  }

  private void activate(Deployment deployment) throws InterruptedException {
    if (database.read(tx -> records.isSite(tx, deployment))) {
      database.useTransaction(
          tx -> records.steps().started(tx, deployment, StepStore.START, clock.instant()));
      goLive.goLive(deployment, List.of());
    } else {
      activateProgram(deployment);
    }
  }

  private void activateProgram(Deployment deployment) throws InterruptedException {
    try {
      EnvVars env =
          database.inTransaction(tx -> {
            records.steps().started(tx, deployment, StepStore.START, clock.instant());
            return records.deployments().env(tx, deployment.id());
          });
      List<Target> targets = new ArrayList<>();
      Optional<Failure> failure = start(deployment, env.values().containsKey("PORT"), targets::add);
      if (failure.isEmpty()) {
        goLive.goLive(deployment, targets);
      } else {
        String message = masker(deployment).mask(failure.get().message());
        goLive.fail(deployment, new Failure(failure.get().code(), message));
      }
    } catch (InterruptedException | RuntimeException e) {
      settle(deployment.id());
      throw e;
    }
    settle(deployment.id());
  }

  /**
   * Leaves an instance behind only where the store says that the deployment is live: what an
   * exception says of a commit may be wrong.
   */
  private void settle(DeploymentId id) {
    boolean live =
        database
            .read(tx -> records.deployments().find(tx, id))
            .filter(deployment -> deployment.status().served())
            .isPresent();
    instances.settle(id, live);
  }

  private Optional<Failure> start(
      Deployment deployment, boolean portGiven, Consumer<Target> answered)
      throws InterruptedException {
    try (RunLogs.OpenLog open = logs.open(deployment.logId(), masker(deployment))) {
      RunLog log = open.log();
      if (portGiven) {
        log.info("The variable PORT is set by the platform; the value that was given is not used.");
      }
      int count = database.read(tx -> instancesOf(tx, deployment));
      log.info(
          count == 1
              ? "Starting the program and waiting until it answers."
              : "Starting %d instances of the program and waiting until all answer."
                  .formatted(count));
      Instant begin = clock.instant();
      Optional<Started.Failed> failed = launcher.startFirst(deployment, count, log::info, answered);
      if (failed.isEmpty()) {
        log.info(
            "The program answered after %d ms."
                .formatted(Duration.between(begin, clock.instant()).toMillis()));
      } else if (failed.get().lastLines().isEmpty()) {
        log.info("The program printed nothing.");
      } else {
        log.info("The last lines that the program printed:");
        Masker masker = masker(deployment); // its database may have changed while it was started
        failed.get().lastLines().forEach(line -> log.info(masker.mask(line)));
      }
      return failed.map(Started.Failed::failure);
    }
  }

  private Masker masker(Deployment deployment) {
    return database.read(tx -> variables.masker(tx, deployment.id()));
  }

  private int instancesOf(Handle tx, Deployment deployment) {
    return records.projects().find(tx, deployment.projectId()).orElseThrow().settings().instances();
  }

  @Override
  public void giveUp(String subjectId, Throwable cause) {
    DeploymentId id = new DeploymentId(subjectId);
    attempts.giveUp(id);
    settle(id);
  }
}
