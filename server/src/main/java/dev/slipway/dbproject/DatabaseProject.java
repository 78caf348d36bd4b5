package dev.slipway.dbproject;

import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.Failure;
import dev.slipway.database.DatabaseType;
import java.time.Instant;
import java.util.Optional;

/**
 * A database of an account.
 *
 * @param failure why what was asked for last was not done; until something else is asked for
 * @param droppedAt once its status is {@code DROPPED}
 */
public record DatabaseProject(
    DatabaseId id,
    AccountId accountId,
    DatabaseType type,
    DatabaseOrigin origin,
    DatabaseStatus status,
    Optional<Failure> failure,
    Instant createdAt,
    Optional<Instant> droppedAt) {}
