package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.ReleaseId;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.RunLogs;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.Handle;

/**
 * Moves deployments from state to state: state, what the log says of it, and whoever listens, in
 * one transaction. Whoever still writes to the log of one that ends has closed it before.
 */
final class Moves {
  /** Our own fault: the server's log has the cause, the user cannot mend it. */
  static final Failure INTERNAL =
      new Failure(
          FailureCode.INTERNAL_ERROR,
          "Something went wrong on our side; nothing was changed. Please try again.");

  private final DeploymentStore store;
  private final RunLogs logs;
  private final List<DeploymentListener> listeners = new CopyOnWriteArrayList<>();
  private final Clock clock;

  Moves(DeploymentStore store, RunLogs logs, Clock clock) {
    this.store = store;
    this.logs = logs;
    this.clock = clock;
  }

  void tell(DeploymentListener listener) {
    listeners.add(listener);
  }

  /**
   * A new deployment; its log is there.
   *
   * @param line the first that the log says of it
   */
  void queued(Handle tx, Deployment deployment, EnvVars env, String line) {
    store.insert(tx, deployment, env);
    logs.append(tx, deployment.logId(), LogLevel.INFO, line);
    moved(tx, deployment);
  }

  /**
   * A job begins, for the first time or once more; empty where the deployment has ended, or is
   * another job's by now.
   */
  Optional<Deployment> begun(
      Handle tx, DeploymentId id, DeploymentStatus from, DeploymentStatus status) {
    DeploymentStatus before = store.lock(tx, id).status();
    Optional<Deployment> begun = store.begin(tx, id, from, status, clock.instant());
    begun.filter(it -> it.status() != before).ifPresent(it -> moved(tx, it));
    return begun;
  }

  /** False where it was ended, or is another attempt's by now; then nothing is written. */
  boolean built(Handle tx, Deployment deployment, ReleaseId release) {
    Instant now = clock.instant();
    Optional<Deployment> built =
        store.built(tx, deployment.id(), deployment.attempt(), release, now);
    built.ifPresent(it -> moved(tx, it));
    return built.isPresent();
  }

  /** False where it had ended before, or is another attempt's by now; then nothing is written. */
  boolean fail(Handle tx, Deployment deployment, Failure failure) {
    Optional<Deployment> failed = store.fail(tx, deployment, failure, clock.instant());
    failed.ifPresent(it -> {
      logs.append(tx, it.logId(), LogLevel.ERROR, failure.message());
      logs.close(tx, it.logId());
      moved(tx, it);
    });
    return failed.isPresent();
  }

  /**
   * Empty where it had ended before, or is another worker's by now; then nothing is written. Who
   * listens is told by {@link #wentLive}, when all that belongs to it is written.
   */
  Optional<Deployment> live(Handle tx, Deployment deployment, String url) {
    Optional<Deployment> live =
        store.live(tx, deployment.id(), deployment.attempt(), clock.instant());
    live.ifPresent(it -> {
      String what = it.isRollback() ? "The rollback is live at " : "Live at ";
      logs.append(tx, it.logId(), LogLevel.SUCCESS, what + url);
      logs.close(tx, it.logId());
    });
    return live;
  }

  /**
   * Route and project say so too by now.
   *
   * @param deployment as {@link #live} has answered it
   */
  void wentLive(Handle tx, Deployment deployment) {
    moved(tx, deployment);
  }

  /** Another one went live in its place, by a rollback. */
  void rolledBack(Handle tx, DeploymentId id) {
    store.rolledBack(tx, id, clock.instant()).ifPresent(it -> moved(tx, it));
  }

  private void moved(Handle tx, Deployment deployment) {
    listeners.forEach(listener -> listener.moved(tx, deployment));
  }
}
