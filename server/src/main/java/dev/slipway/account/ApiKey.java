package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.ApiKeyId;
import java.time.Instant;
import java.util.Optional;

/**
 * What may be known of a key after it was made; its text is nowhere.
 *
 * @param hint its first characters, by which a person knows it
 * @param revokedAt since when it opens nothing
 */
public record ApiKey(
    ApiKeyId id,
    AccountId accountId,
    String name,
    String hint,
    Instant createdAt,
    Optional<Instant> lastUsedAt,
    Optional<Instant> revokedAt) {}
