package dev.slipway.account;

import dev.slipway.core.AccountId;
import java.time.Instant;

/**
 * Owns projects; limits and keys belong to it.
 *
 * @param tier one of those in the configuration
 */
public record Account(AccountId id, String tier, Instant createdAt) {}
