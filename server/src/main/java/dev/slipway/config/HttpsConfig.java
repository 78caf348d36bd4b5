package dev.slipway.config;

import java.util.Optional;

/** The port with TLS; without this section there is none. */
public record HttpsConfig(int port) {
  static Optional<HttpsConfig> read(Section section) {
    Optional<Integer> port = section.required("port", Kinds.PORT);
    section.end();
    return port.map(HttpsConfig::new);
  }
}
