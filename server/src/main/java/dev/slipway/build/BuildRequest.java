package dev.slipway.build;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ReleaseId;
import dev.slipway.framework.Overrides;
import dev.slipway.source.Source;

/**
 * What to build, and who wants to know.
 *
 * @param account whose download cache is used
 * @param overrides what the user decided about the build
 * @param env visible to every step
 * @param releaseId what the release will be called; one of that name from an earlier run is
 *     replaced
 */
public record BuildRequest(
    DeploymentId id,
    AccountId account,
    Source source,
    Overrides overrides,
    EnvVars env,
    ReleaseId releaseId,
    BuildObserver observer) {}
