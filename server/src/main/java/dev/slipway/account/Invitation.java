package dev.slipway.account;

import dev.slipway.core.AccountId;
import dev.slipway.core.InvitationId;
import java.time.Instant;

/**
 * Lets whoever has its token become a user of the account, once.
 *
 * @param email that the user signs in with
 * @param invitedBy the e-mail address of an owner
 */
public record Invitation(
    InvitationId id,
    AccountId accountId,
    String email,
    Role role,
    String invitedBy,
    Instant createdAt,
    Instant expiresAt) {}
