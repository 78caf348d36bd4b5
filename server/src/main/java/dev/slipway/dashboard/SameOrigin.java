package dev.slipway.dashboard;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.Optional;

/**
 * Whether a request that changes something was made by one of our own pages, as far as the browser
 * says so. The token of the session's forms is asked for beside it.
 *
 * @param publicUrl whose pages they are, also where a proxy changed the host
 */
record SameOrigin(URI publicUrl) {
  /**
   * @throws RequestException {@code FORBIDDEN}
   */
  void require(HttpServerRequest request) {
    Optional<String> site = Optional.ofNullable(request.getHeader("Sec-Fetch-Site"));
    Optional<String> origin = Optional.ofNullable(request.getHeader("Origin"));
    boolean ours =
        site.isPresent()
            ? site.get().equals("same-origin") || site.get().equals("none")
            : origin.map(it -> isOurs(it, request)).orElse(true);
    if (!ours) {
      throw refusal();
    }
  }

  static RequestException refusal() {
    return new RequestException(
        ErrorCode.FORBIDDEN,
        "This form was not sent by a page of this service, or its page is an old one. Open the page again, and send it anew.");
  }

  private boolean isOurs(String origin, HttpServerRequest request) {
    try {
      String authority = URI.create(origin).getAuthority();
      return authority != null
          && (authority.equals(publicUrl.getAuthority())
              || authority.equals(String.valueOf(request.authority())));
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }
}
