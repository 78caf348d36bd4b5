package dev.slipway.dashboard;

import dev.slipway.core.Secret;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * What a browser proves with that somebody is signed in: for this host alone, out of reach of
 * scripts and of requests that other sites make. An application below the same domain can neither
 * read it nor, by HTTPS, put another one in its place.
 *
 * @param secure whether browsers come by HTTPS
 */
record SessionCookie(boolean secure) {
  /** As long as the longest session; the store says earlier when one has ended. */
  private static final Duration AGE = Duration.ofDays(90);

  Optional<Secret> read(HttpServerRequest request) {
    return Optional.ofNullable(request.getCookie(name()))
        .map(Cookie::getValue)
        .filter(it -> !it.isEmpty())
        .map(Secret::new);
  }

  void write(HttpServerResponse response, Secret token) {
    response.addCookie(cookie(token.reveal()).setMaxAge(AGE.toSeconds()));
  }

  /** Beside it, as it is of this browser too: which colours the pages have. */
  void write(HttpServerResponse response, Theme theme) {
    response.addCookie(
        Cookie.cookie(Theme.COOKIE, theme.wireName())
            .setPath(Site.BASE)
            .setHttpOnly(true)
            .setSecure(secure)
            .setSameSite(CookieSameSite.LAX)
            .setMaxAge(Duration.ofDays(365).toSeconds()));
  }

  void remove(HttpServerResponse response) {
    response.addCookie(cookie("").setMaxAge(0));
  }

  private Cookie cookie(String value) {
    return Cookie.cookie(name(), value)
        .setPath("/")
        .setHttpOnly(true)
        .setSecure(secure)
        .setSameSite(CookieSameSite.LAX);
  }

  private String name() {
    return secure ? "__Host-slipway" : "slipway";
  }
}
