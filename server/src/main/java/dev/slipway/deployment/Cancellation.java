package dev.slipway.deployment;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.job.Jobs;
import org.jdbi.v3.core.Handle;

/**
 * Ends deployments that somebody does not want any more. The row decides between this and going
 * live: whoever writes it first.
 */
final class Cancellation {
  private static final Failure CANCELED =
      new Failure(FailureCode.CANCELED, "It was canceled before it had gone live.");

  private final DeploymentStore store;
  private final Moves moves;

  Cancellation(DeploymentStore store, Moves moves) {
    this.store = store;
    this.moves = moves;
  }

  /**
   * Ends a deployment and interrupts whoever works on it, who then clears away what there is of it.
   *
   * @return whether it is canceled, now or before; false where it had ended otherwise
   */
  boolean cancel(Handle tx, DeploymentId id) {
    // Locked before it is looked at: no job begins in between, which would number it anew.
    Deployment deployment = store.lock(tx, id);
    if (!deployment.status().unfinished()) {
      return deployment.failure().filter(it -> it.code() == FailureCode.CANCELED).isPresent();
    }
    moves.fail(tx, deployment, CANCELED);
    if (deployment.status() == DeploymentStatus.QUEUED) {
      // Of one that was begun the job stays, and clears away what an earlier run of it left.
      Jobs.withdraw(tx, BuildJob.KIND, id.value());
      Jobs.withdraw(tx, ActivateJob.KIND, id.value());
    }
    RunningJobs.ended(tx, id);
    return true;
  }
}
