package dev.slipway.migration;

import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.MigrationId;
import dev.slipway.core.ProjectId;
import java.time.Instant;
import java.util.Optional;

/**
 * An application being taken in: a project and its first deployment.
 *
 * @param logId its log, which is its first deployment's too
 * @param database that it asked for
 * @param deploymentId absent while it is pending
 * @param completedAt when it ended, well or not
 * @param failure only of one that failed
 */
public record Migration(
    MigrationId id,
    AccountId accountId,
    ProjectId projectId,
    String logId,
    Optional<DatabaseId> database,
    Optional<DeploymentId> deploymentId,
    MigrationStatus status,
    Instant createdAt,
    Optional<Instant> completedAt,
    Optional<Failure> failure) {}
