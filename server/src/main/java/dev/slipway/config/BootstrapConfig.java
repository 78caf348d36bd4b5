package dev.slipway.config;

import dev.slipway.core.Secret;
import java.util.Optional;

/**
 * The first account, read at the first start alone. What is absent is made and printed once.
 *
 * @param apiKey any text of 32 characters or more
 * @param tier one of the configured tiers
 */
public record BootstrapConfig(
    Optional<String> email, Optional<Secret> password, Optional<Secret> apiKey, String tier) {
  public static final BootstrapConfig DEFAULTS =
      new BootstrapConfig(Optional.empty(), Optional.empty(), Optional.empty(), "free");

  static BootstrapConfig read(Section section) {
    BootstrapConfig config =
        new BootstrapConfig(
            section.value("email", Kinds.EMAIL),
            section.value("password", Kinds.SECRET),
            section.value("api_key", Kinds.LONG_SECRET),
            section.value("tier", DEFAULTS.tier, Kinds.NAME));
    section.end();
    return config;
  }
}
