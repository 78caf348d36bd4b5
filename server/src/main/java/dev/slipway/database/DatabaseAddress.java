package dev.slipway.database;

import dev.slipway.core.Secret;
import java.util.Optional;

/** An address as users write it: where, who, and, only where it is allowed there, the password. */
public record DatabaseAddress(DatabasePlace place, String user, Optional<Secret> password) {}
