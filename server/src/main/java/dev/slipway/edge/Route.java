package dev.slipway.edge;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import java.util.List;

/**
 * Where the requests of one host name go.
 *
 * @param deployment what answers there
 * @param preview whether this is a deployment's own address: not indexed by search engines
 * @param targets instances that passed their health check; none means that the {@link Waker} is
 *     asked, and the request waits
 */
public record Route(
    ProjectId project, DeploymentId deployment, boolean preview, List<Target> targets) {
  public Route {
    targets = List.copyOf(targets);
  }
}
