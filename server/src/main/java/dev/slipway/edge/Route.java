package dev.slipway.edge;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.site.Site;
import java.util.List;

/**
 * Where the requests of one host name go.
 *
 * @param deployment what answers there
 * @param preview whether this is a deployment's own address: not indexed by search engines
 * @param targets instances that passed their health check; none means that the {@link Waker} is
 *     asked, and the request waits
 * @param sites where files answer instead of a program: those of the deployment, then those of the
 *     ones that served before it, the newest first; empty for a program
 */
public record Route(
    ProjectId project,
    DeploymentId deployment,
    boolean preview,
    List<Target> targets,
    List<Site> sites) {
  public Route {
    targets = List.copyOf(targets);
    sites = List.copyOf(sites);
  }

  /** One to a program. */
  public Route(ProjectId project, DeploymentId deployment, boolean preview, List<Target> targets) {
    this(project, deployment, preview, targets, List.of());
  }
}
