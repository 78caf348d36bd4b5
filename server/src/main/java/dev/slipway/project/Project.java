package dev.slipway.project;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ProjectId;
import dev.slipway.source.RepoName;
import java.time.Instant;
import java.util.Optional;

/**
 * An application that is deployed again and again.
 *
 * @param name unique in its account
 * @param label its part of host names: unique, fixed for life
 * @param source the kind of its git host
 * @param framework only where the user overrides detection
 * @param liveDeploymentId the deployment that serves production traffic now
 */
public record Project(
    ProjectId id,
    AccountId accountId,
    String name,
    String label,
    String source,
    RepoName repo,
    String branch,
    Optional<String> framework,
    String region,
    String instanceType,
    EnvVars env,
    Optional<DeploymentId> liveDeploymentId,
    Instant createdAt,
    Instant updatedAt) {}
