package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.UserId;
import java.time.Instant;

/**
 * A person who signs in to the dashboard.
 *
 * @param name for people; may be empty
 */
public record User(
    UserId id, AccountId accountId, String email, String name, Role role, Instant createdAt) {}
