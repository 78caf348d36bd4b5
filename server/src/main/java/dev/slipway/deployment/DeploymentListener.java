package dev.slipway.deployment;

import dev.slipway.core.Failure;
import org.jdbi.v3.core.Handle;

/** Told of the end of a deployment in the very transaction that ends it. */
public interface DeploymentListener {
  void live(Handle tx, Deployment deployment);

  void failed(Handle tx, Deployment deployment, Failure failure);
}
