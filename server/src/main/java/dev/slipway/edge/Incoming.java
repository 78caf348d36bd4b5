package dev.slipway.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Optional;

/**
 * A request as it came.
 *
 * @param hasBody whether one is announced; its first byte may still be far away
 * @param upgrade the protocol that the client would like to go on with, such as {@code websocket}
 */
record Incoming(
    HttpServerRequest request, Destination destination, boolean hasBody, Optional<String> upgrade) {

  /** One by HTTP/2, whose body may come unannounced and is never upgraded. */
  static Incoming ofHttp2(HttpServerRequest request, Destination destination) {
    return new Incoming(request, destination, Channels.hasBody(request), Optional.empty());
  }

  static Incoming of(HttpServerRequest request, Destination destination) {
    boolean hasBody =
        request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
            || header(request, HttpHeaders.CONTENT_LENGTH)
                .filter(length -> !length.equals("0"))
                .isPresent();
    Optional<String> upgrade =
        header(request, HttpHeaders.UPGRADE)
            .filter(_ -> HopHeaders.connectionTokens(request.headers()).contains("upgrade"))
            // HTTP/2 would carry requests past the edge unseen.
            .filter(protocol -> !hasBody && !protocol.toLowerCase(Locale.ROOT).contains("h2c"));
    return new Incoming(request, destination, hasBody, upgrade);
  }

  private static Optional<String> header(HttpServerRequest request, CharSequence name) {
    return Optional.ofNullable(request.getHeader(name));
  }
}
