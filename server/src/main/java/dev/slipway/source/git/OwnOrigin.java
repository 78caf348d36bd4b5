package dev.slipway.source.git;

import dev.slipway.core.Secret;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/**
 * A host's scheme, name and port, and the token that goes there and nowhere else: neither along
 * with a redirect nor to an address that an answer names.
 */
final class OwnOrigin {
  /** Hosts take any user name beside a token; this one is GitHub's. */
  private static final String USER = "x-access-token";

  private final String origin;
  private final Optional<Secret> token;

  OwnOrigin(URI base, Optional<Secret> token) {
    this.origin = origin(base.getScheme(), base.getHost(), base.getPort());
    this.token = token;
  }

  /** The value of the header {@code Authorization} for a request to this address. */
  Optional<String> authorization(String scheme, String host, int port) {
    return token
        .filter(_ -> origin.equals(origin(scheme, host, port)))
        .map(secret -> "Basic " + encoded(USER + ":" + secret.reveal()));
  }

  /** Whether both are the same place. */
  static boolean same(URI one, URI other) {
    return origin(one.getScheme(), one.getHost(), one.getPort())
        .equals(origin(other.getScheme(), other.getHost(), other.getPort()));
  }

  private static String encoded(String pair) {
    return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private static String origin(String scheme, String host, int port) {
    int standard = scheme.equalsIgnoreCase("https") ? 443 : 80;
    return (scheme + "://" + host + ":" + (port < 0 ? standard : port)).toLowerCase(Locale.ROOT);
  }
}
