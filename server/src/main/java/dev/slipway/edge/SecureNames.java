package dev.slipway.edge;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;

/**
 * What comes with certificates, before an app is asked: the questions of their authority, the way
 * from HTTP to HTTPS, and the word that there is no way back. On event loops; thread-safe.
 */
final class SecureNames {
  static final String CHALLENGES = "/.well-known/acme-challenge/";
  private static final CharSequence STRICT_TRANSPORT =
      HttpHeaders.createOptimized("strict-transport-security");

  private final TlsKeys keys;
  private final Optional<HttpsOptions> https;
  private final ForwardedHeaders forwarded;

  SecureNames(TlsKeys keys, Optional<HttpsOptions> https, ForwardedHeaders forwarded) {
    this.keys = keys;
    this.https = https;
    this.forwarded = forwarded;
  }

  /** Whether it was answered: what an authority asks for, which is always asked for by HTTP. */
  boolean answersChallenge(HttpServerRequest request, Destination destination) {
    if (!destination.uri().startsWith(CHALLENGES)) {
      return false;
    }
    Optional<String> answer =
        Optional.ofNullable(
            keys.table().challenges().get(destination.uri().substring(CHALLENGES.length())));
    answer.ifPresent(text ->
        end(request, request.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/plain"), text));
    return answer.isPresent();
  }

  /** Whether it was answered: that the app is to be asked by HTTPS. */
  boolean redirects(HttpServerRequest request, Destination destination, String host) {
    if (https.isEmpty()
        || request.isSSL()
        || !keys.table().certificates().containsKey(host)
        || destination.uri().startsWith(CHALLENGES) // of an app that has its own
        || forwarded.cameByHttps(request)) {
      return false;
    }
    String place = destination.uri().startsWith("/") ? destination.uri() : "/";
    HttpServerResponse response =
        request
            .response()
            .setStatusCode(HttpResponseStatus.PERMANENT_REDIRECT.code())
            .putHeader(HttpHeaders.LOCATION, "https://" + https.get().authority(host) + place);
    end(request, response, "");
    return true;
  }

  private static void end(HttpServerRequest request, HttpServerResponse response, String text) {
    Leftover leftover = Leftover.of(request);
    leftover.announce();
    response
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(text.length()))
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    boolean bodyless = request.method().equals(HttpMethod.HEAD);
    (bodyless ? response.end() : response.end(text)).onComplete(_ -> leftover.discard());
  }

  /** Tells browsers to come by HTTPS from now on, unless the app says something about it itself. */
  void announce(HttpServerRequest request, String host) {
    if (request.isSSL() && keys.table().certificates().containsKey(host)) {
      https
          .flatMap(HttpsOptions::strictTransport)
          .ifPresent(age -> {
            HttpServerResponse response = request.response();
            response.headersEndHandler(_ -> {
              if (!response.headers().contains(STRICT_TRANSPORT)) {
                response.putHeader(STRICT_TRANSPORT, "max-age=" + age.toSeconds());
              }
            });
          });
    }
  }
}
