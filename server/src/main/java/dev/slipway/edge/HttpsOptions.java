package dev.slipway.edge;

import java.time.Duration;
import java.util.Optional;

/**
 * The port with TLS.
 *
 * @param port to listen on; 0 takes any free one
 * @param publicPort under which clients reach it
 * @param strictTransport for how long browsers shall use nothing but HTTPS for a name that has a
 *     certificate of its own; empty: they are told nothing
 */
public record HttpsOptions(int port, int publicPort, Optional<Duration> strictTransport) {
  static final int DEFAULT_PORT = 443;

  /** The authority of an {@code https} address. */
  String authority(String host) {
    return publicPort == DEFAULT_PORT ? host : host + ":" + publicPort;
  }
}
