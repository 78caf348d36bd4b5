package dev.slipway.api;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which other sites' pages may call the API from a browser; none by default. Never with the
 * browser's own credentials: a page must have a key.
 */
final class Cors {
  private static final String EXPOSED =
      "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Retry-After,"
          + " Idempotency-Replayed";
  private static final String TAKEN =
      "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id";
  private static final String REMEMBER_SECONDS = "7200";

  private final List<String> origins;

  /**
   * @param origins such as {@code https://ci.example.org}; {@code *} is all of them
   */
  Cors(List<String> origins) {
    this.origins = List.copyOf(origins);
  }

  /** A handler for all requests, as refusals must be readable too. */
  void allow(RoutingContext context) {
    HttpServerResponse response = context.response();
    if (!origins.isEmpty() && !origins.contains("*")) {
      response.headers().add(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    }
    allowedOrigin(context.request())
        .ifPresent(origin ->
            response
                .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
                .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED));
    context.next();
  }

  /** Answers OPTIONS, a browser's preflight among them. */
  void answer(RoutingContext context, Set<String> methods) {
    String all = String.join(", ", methods);
    HttpServerResponse response = context.response().setStatusCode(204);
    response.putHeader(HttpHeaders.ALLOW, all);
    boolean preflight =
        context.request().headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
    if (preflight && allowedOrigin(context.request()).isPresent()) {
      response
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, all)
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, TAKEN)
          .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, REMEMBER_SECONDS);
    }
    response.end();
  }

  private Optional<String> allowedOrigin(HttpServerRequest request) {
    return Optional.ofNullable(request.getHeader(HttpHeaders.ORIGIN))
        .flatMap(origin ->
            origins.contains("*")
                ? Optional.of("*")
                : origins.stream()
                    .filter(it -> it.equalsIgnoreCase(origin))
                    .map(_ -> origin)
                    .findFirst());
  }
}
