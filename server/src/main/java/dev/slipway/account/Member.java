package dev.slipway.account;

import dev.slipway.core.UserId;
import java.time.Instant;
import java.util.Optional;

/**
 * A user as the others of the account see him.
 *
 * @param name for people; may be empty
 * @param lastSeenAt to the minute; absent where no session lasts
 */
public record Member(
    UserId id,
    String email,
    String name,
    Role role,
    Instant createdAt,
    Optional<Instant> lastSeenAt) {}
