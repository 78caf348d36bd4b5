package dev.slipway.edge;

import dev.slipway.core.DeploymentId;
import java.util.concurrent.CompletionStage;

/** Starts what a request asks for and does not run: a stopped preview, a program that crashed. */
public interface Waker {
  /**
   * A healthy instance of the deployment, started if there is none. Many requests may ask at once;
   * it is started once. Does not block.
   *
   * @return fails with {@link dev.slipway.core.AppFailure} where it cannot be started, with {@link
   *     Crashing} where it has been too often for a request to try it again
   */
  CompletionStage<Target> wake(DeploymentId deployment);

  /** The program crashes again and again: it is started now and then, and by no request. */
  final class Crashing extends RuntimeException {
    public Crashing() {
      super("it crashes again and again", null, false, false);
    }
  }
}
