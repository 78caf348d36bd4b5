package dev.slipway.account;

import dev.slipway.core.Secret;

/** A key with its text, which is told this once. */
public record MadeKey(ApiKey key, Secret text) {}
