package dev.slipway.database;

import dev.slipway.core.Secret;

/** Who logs in to a database. */
public record DatabaseLogin(String user, Secret password) {}
