package dev.slipway.config;

import dev.slipway.core.Secret;
import java.util.Optional;

/**
 * Who reads {@code /metrics}.
 *
 * @param token absent: whoever asks from this machine
 */
public record MetricsConfig(Optional<Secret> token) {
  static MetricsConfig read(Section section) {
    Optional<Secret> token = section.value("token", Kinds.LONG_SECRET);
    section.end();
    return new MetricsConfig(token);
  }
}
