package dev.slipway.account;

import java.time.Instant;

/**
 * Who did what, and when.
 *
 * @param actor the user's e-mail address or the key's name, as it was then; both may be gone by now
 * @param byKey whether it was the holder of an API key, not a user
 * @param action such as {@code env_vars.reveal}
 * @param subject the id of what it was done to
 * @param detail for people; may be empty
 */
public record AuditEntry(
    long id,
    Instant at,
    String actor,
    boolean byKey,
    String action,
    String subject,
    String detail) {}
