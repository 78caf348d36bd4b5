package dev.slipway.api;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.metric.Exposition;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * {@code GET /metrics} for a Prometheus. Who runs the server may read it, and nobody's API key:
 * with the configured token, or without one from this machine, unless something stands between.
 */
final class MetricsPage {
  /** A proxy on this machine has one of them, or is set up so that nobody could tell. */
  private static final List<String> SIGNS_OF_A_PROXY =
      List.of("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via");

  private final Exposition exposition;
  private final Optional<Secret> token;

  MetricsPage(Exposition exposition, Optional<Secret> token) {
    this.exposition = exposition;
    this.token = token;
  }

  void handle(RoutingContext context, OffLoop offLoop) {
    HttpServerRequest request = context.request();
    requireOperator(request);
    String accept = Optional.ofNullable(request.getHeader(HttpHeaders.ACCEPT)).orElse("");
    offLoop.run(context, () -> exposition.page(accept), page -> write(request, page));
  }

  private void requireOperator(HttpServerRequest request) {
    if (token.isPresent()) {
      if (!Authentication.key(request).equals(token)) {
        throw new RequestException(
            ErrorCode.UNAUTHORIZED, "Send metrics.token as Authorization: Bearer <token>.");
      }
    } else if (!isLocal(request)) {
      throw new RequestException(
          ErrorCode.FORBIDDEN,
          "Metrics are for this machine alone; with metrics.token others can read them.");
    }
  }

  private static boolean isLocal(HttpServerRequest request) {
    return !request.remoteAddress().isDomainSocket() // by which an edge asks for anybody
        && InetAddress.ofLiteral(request.remoteAddress().hostAddress()).isLoopbackAddress()
        && SIGNS_OF_A_PROXY.stream().noneMatch(request.headers()::contains);
  }

  private static void write(HttpServerRequest request, Exposition.Page page) {
    Buffer text = Buffer.buffer(page.text());
    HttpServerResponse response =
        request
            .response()
            .putHeader(HttpHeaders.CONTENT_TYPE, page.contentType())
            .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
            .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(text.length()));
    if (request.method().equals(HttpMethod.HEAD)) {
      response.end();
    } else {
      response.end(text);
    }
  }
}
