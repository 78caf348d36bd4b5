package dev.slipway.account;

import dev.slipway.core.UserId;

/**
 * What a user's password is checked against.
 *
 * @param passwordHash Argon2id in its usual text form
 */
record Login(UserId userId, String passwordHash) {}
