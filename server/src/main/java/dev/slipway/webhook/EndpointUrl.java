package dev.slipway.webhook;

import dev.slipway.core.PrivateAddresses;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/** What the address of an endpoint may be. */
final class EndpointUrl {
  private static final int MAX_LENGTH = 2048;
  private static final int MAX_PORT = 65_535;

  private EndpointUrl() {}

  /**
   * What keeps a text from being one; completes a sentence that begins with the text's place.
   *
   * @param allowPrivate whether it may lead into the networks of this server, and without TLS
   */
  static Optional<String> fault(String text, boolean allowPrivate) {
    if (text.length() > MAX_LENGTH) {
      return Optional.of("is longer than %d characters".formatted(MAX_LENGTH));
    }
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      return Optional.of("is no URL: " + e.getReason());
    }
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("https") && !(allowPrivate && scheme.equals("http"))) {
      return Optional.of(
          allowPrivate
              ? "must begin with https:// or http://"
              : "must begin with https://; http is for servers with webhooks.allow_private_targets");
    }
    if (url.getHost() == null || url.getPort() > MAX_PORT || url.getPort() == 0) {
      return Optional.of("names no host, or an impossible port");
    }
    if (url.getRawUserInfo() != null) {
      return Optional.of("must hold no user and no password; check webhook-signature instead");
    }
    if (url.getRawFragment() != null) {
      return Optional.of("must have no fragment, which no server would see");
    }
    return allowPrivate ? Optional.empty() : literalFault(url.getHost());
  }

  /** Of a name it is found out when something is sent; what it leads to may change. */
  private static Optional<String> literalFault(String host) {
    try {
      return PrivateAddresses.contain(InetAddress.ofLiteral(bare(host)))
          ? Optional.of("leads to an address that is not one of the public internet")
          : Optional.empty();
    } catch (IllegalArgumentException aName) {
      return Optional.empty();
    }
  }

  /** Without the brackets of IPv6. */
  static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }
}
