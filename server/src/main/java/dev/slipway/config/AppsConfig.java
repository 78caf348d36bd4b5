package dev.slipway.config;

import java.time.Duration;

/**
 * How applications are reached.
 *
 * @param domain an application answers at {@code <label>.<domain>}
 * @param drain how long a replaced instance may finish its requests
 */
public record AppsConfig(String domain, Duration drain) {
  public static final AppsConfig DEFAULTS = new AppsConfig("localhost", Duration.ofSeconds(30));

  static AppsConfig read(Section section) {
    AppsConfig config =
        new AppsConfig(
            section.value("domain", DEFAULTS.domain, Kinds.HOST_NAME),
            section.value("drain", DEFAULTS.drain, Kinds.DURATION));
    section.end();
    return config;
  }
}
