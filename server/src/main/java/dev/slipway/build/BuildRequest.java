package dev.slipway.build;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.framework.Overrides;
import dev.slipway.source.Source;

/**
 * What to build, and who wants to know.
 *
 * @param owner whose download cache and dependencies are used
 * @param project whose framework's caches are used
 * @param overrides what the user decided about the build
 * @param env the user's own variables, visible to every step
 * @param managed those that the user's own are on top of
 * @param releaseId what the release will be called; one of that name from an earlier run is
 *     replaced
 * @param kept of these one is taken if it is made from the same
 */
public record BuildRequest(
    DeploymentId id,
    CacheOwner owner,
    ProjectId project,
    Source source,
    Overrides overrides,
    EnvVars env,
    ManagedVariables managed,
    ReleaseId releaseId,
    KeptReleases kept,
    BuildObserver observer) {
  /** What steps see. */
  EnvVars variables() {
    return env.over(managed.env());
  }
}
