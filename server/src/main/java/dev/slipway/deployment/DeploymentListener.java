package dev.slipway.deployment;

import org.jdbi.v3.core.Handle;

/** Told of each move of a deployment in the very transaction in which it moves. */
public interface DeploymentListener {
  /**
   * @param deployment as it is now
   */
  void moved(Handle tx, Deployment deployment);
}
