package dev.slipway.deployment;

import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runlog.RunLogs;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.Handle;

/**
 * Ends deployments: state, last line of the log and whoever listens, in one transaction. Whoever
 * still writes to the log has closed it before.
 */
final class Endings {
  /** Our own fault: the server's log has the cause, the user cannot mend it. */
  static final Failure INTERNAL =
      new Failure(
          FailureCode.INTERNAL_ERROR,
          "Something went wrong on our side; nothing was changed. Please try again.");

  private final DeploymentStore store;
  private final RunLogs logs;
  private final List<DeploymentListener> listeners = new CopyOnWriteArrayList<>();
  private final Clock clock;

  Endings(DeploymentStore store, RunLogs logs, Clock clock) {
    this.store = store;
    this.logs = logs;
    this.clock = clock;
  }

  void tell(DeploymentListener listener) {
    listeners.add(listener);
  }

  /** False where it had ended before, or is another attempt's by now; then nothing is written. */
  boolean fail(Handle tx, Deployment deployment, Failure failure) {
    if (!store.fail(tx, deployment, failure, clock.instant())) {
      return false;
    }
    logs.append(tx, deployment.logId(), LogLevel.ERROR, failure.message());
    logs.close(tx, deployment.logId());
    listeners.forEach(listener -> listener.failed(tx, deployment, failure));
    return true;
  }

  /** False where it had ended before, or is another worker's by now; then nothing is written. */
  boolean live(Handle tx, Deployment deployment, String url) {
    if (!store.live(tx, deployment.id(), deployment.attempt(), clock.instant())) {
      return false;
    }
    String what = deployment.isRollback() ? "The rollback is live at " : "Live at ";
    logs.append(tx, deployment.logId(), LogLevel.SUCCESS, what + url);
    logs.close(tx, deployment.logId());
    listeners.forEach(listener -> listener.live(tx, deployment));
    return true;
  }
}
