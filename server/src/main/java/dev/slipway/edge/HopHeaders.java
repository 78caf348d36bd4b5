package dev.slipway.edge;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The headers that mean one connection only and are not passed on (RFC 9110, 7.6.1). */
final class HopHeaders {
  /** How long an idle connection to an app is kept. */
  static final int IDLE_SECONDS = 4;

  private static final Pattern TIMEOUT = Pattern.compile("timeout=(\\d{1,6})");
  private static final CharSequence KEEP_ALIVE = HttpHeaders.createOptimized("keep-alive");

  private static final CharSequence TE = HttpHeaders.createOptimized("te");

  private static final List<CharSequence> NAMES =
      List.of(
          HttpHeaders.CONNECTION,
          KEEP_ALIVE,
          HttpHeaders.createOptimized("proxy-connection"),
          HttpHeaders.createOptimized("proxy-authenticate"),
          HttpHeaders.createOptimized("proxy-authorization"),
          TE,
          HttpHeaders.TRANSFER_ENCODING,
          HttpHeaders.UPGRADE,
          HttpHeaders.createOptimized("http2-settings"));

  private HopHeaders() {}

  /** Takes them out of {@code headers}, those that {@code Connection} names included. */
  static void strip(MultiMap headers) {
    List<String> named = connectionTokens(headers);
    NAMES.forEach(headers::remove);
    for (String name : named) {
      // The framing is not for the sender to take away.
      if (!name.equals("content-length") && !name.equals("host")) {
        headers.remove(name);
      }
    }
  }

  /** Whether the sender says that it knows what follows a body. */
  static boolean takesTrailers(MultiMap headers) {
    return headers.contains(TE)
        && headers.getAll(TE).stream()
            .flatMap(value -> Stream.of(value.split(",", -1)))
            .anyMatch(token -> token.strip().equalsIgnoreCase("trailers"));
  }

  /** Says the same for the edge, as the word is for one connection only. */
  static void takeTrailers(MultiMap headers) {
    headers.set(TE, "trailers").set(HttpHeaders.CONNECTION, "te");
  }

  /**
   * Keeps Vert.x from keeping the idle connection longer than {@link #IDLE_SECONDS}, whatever the
   * app offers: Node closes it in the same second that it names.
   */
  static void limitKeepAlive(MultiMap headers) {
    if (headers.contains(KEEP_ALIVE)) {
      Matcher offer = TIMEOUT.matcher(headers.get(KEEP_ALIVE));
      int offered = offer.find() ? Integer.parseInt(offer.group(1)) : IDLE_SECONDS;
      headers.set(KEEP_ALIVE, "timeout=" + Math.clamp(offered - 1, 1, IDLE_SECONDS));
    }
  }

  /** What {@code Connection} lists, in lower case. */
  static List<String> connectionTokens(MultiMap headers) {
    if (!headers.contains(HttpHeaders.CONNECTION)) {
      return List.of();
    }
    List<String> tokens = new ArrayList<>();
    for (String value : headers.getAll(HttpHeaders.CONNECTION)) {
      for (String token : value.split(",", -1)) {
        String name = token.strip().toLowerCase(Locale.ROOT);
        if (!name.isEmpty()) {
          tokens.add(name);
        }
      }
    }
    return tokens;
  }
}
