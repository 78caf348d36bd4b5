package dev.slipway.account;

import dev.slipway.core.SessionId;
import dev.slipway.core.UserId;

/**
 * A user in a session, as both were when the session was looked up.
 *
 * @param name for people; may be empty
 */
public record SignedIn(
    UserId user, String email, String name, Role role, Account account, SessionId session) {}
