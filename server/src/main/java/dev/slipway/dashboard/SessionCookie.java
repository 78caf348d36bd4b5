package dev.slipway.dashboard;

import dev.slipway.account.Sessions;
import dev.slipway.core.Secret;
import dev.slipway.edge.Addresses;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * What a browser proves with that somebody is signed in, and, in a cookie of its own that stays,
 * who has signed in with it before: for this host alone, out of reach of scripts and of requests
 * that other sites make. An application below the same domain can neither read it nor, by HTTPS,
 * put another one in its place.
 *
 * @param secure whether browsers come by HTTPS
 */
record SessionCookie(boolean secure) {
  /** As long as the longest session; the store says earlier when one has ended. */
  private static final Duration AGE = Duration.ofDays(90);

  private static final Duration BROWSERS_AGE = Duration.ofDays(365);

  static SessionCookie of(Addresses addresses) {
    return new SessionCookie(addresses.publicUrl().getScheme().equals("https"));
  }

  Optional<Secret> read(HttpServerRequest request) {
    return read(request, name());
  }

  /** By what the browser is known to those who have signed in with it. */
  Optional<Secret> readBrowser(HttpServerRequest request) {
    return read(request, browsersName());
  }

  void write(HttpServerResponse response, Sessions.Started started) {
    response.addCookie(cookie(name(), started.token().reveal()).setMaxAge(AGE.toSeconds()));
    response.addCookie(
        cookie(browsersName(), started.browser().reveal()).setMaxAge(BROWSERS_AGE.toSeconds()));
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
    response.addCookie(cookie(name(), "").setMaxAge(0));
  }

  private static Optional<Secret> read(HttpServerRequest request, String name) {
    return Optional.ofNullable(request.getCookie(name))
        .map(Cookie::getValue)
        .filter(it -> !it.isEmpty())
        .map(Secret::new);
  }

  private Cookie cookie(String name, String value) {
    return Cookie.cookie(name, value)
        .setPath("/")
        .setHttpOnly(true)
        .setSecure(secure)
        .setSameSite(CookieSameSite.LAX);
  }

  private String name() {
    return secure ? "__Host-slipway" : "slipway";
  }

  private String browsersName() {
    return name() + "-browser";
  }
}
