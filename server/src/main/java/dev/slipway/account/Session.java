package dev.slipway.account;

import dev.slipway.core.SessionId;
import java.time.Instant;

/**
 * A sign-in that has not ended.
 *
 * @param lastSeenAt to the minute
 * @param address that the user signed in from
 * @param userAgent the browser, as it calls itself: untrusted text
 */
public record Session(
    SessionId id, Instant createdAt, Instant lastSeenAt, String address, String userAgent) {}
