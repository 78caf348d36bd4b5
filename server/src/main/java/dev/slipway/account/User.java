package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.UserId;
import java.time.Instant;

/**
 * A person who signs in to the dashboard.
 *
 * @param passwordHash Argon2id in its usual text form
 */
record User(
    UserId id,
    AccountId accountId,
    String email,
    String passwordHash,
    String role,
    Instant createdAt) {}
