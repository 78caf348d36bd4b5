package dev.slipway.edge;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.site.Site;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where the requests of one host name go.
 *
 * @param deployment what answers there
 * @param preview whether this is a deployment's own address, or of a pull request: not indexed by
 *     search engines
 * @param targets instances that passed their health check; none means that the {@link Waker} is
 *     asked, and the request waits
 * @param site where files answer instead of a program: those of the deployment
 * @param earlier of the releases that served before it, the newest first
 */
public record Route(
    ProjectId project,
    DeploymentId deployment,
    boolean preview,
    List<Target> targets,
    Optional<Site> site,
    List<Earlier> earlier) {
  public Route {
    targets = List.copyOf(targets);
    earlier = List.copyOf(earlier);
  }

  /**
   * Files of a release that has been replaced: pages that were loaded from it go on to ask for
   * them.
   *
   * @param until when they are looked for no more
   */
  public record Earlier(Site files, Instant until) {}

  /** One to a program. */
  public Route(ProjectId project, DeploymentId deployment, boolean preview, List<Target> targets) {
    this(project, deployment, preview, targets, Optional.empty(), List.of());
  }
}
