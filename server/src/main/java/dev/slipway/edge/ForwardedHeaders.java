package dev.slipway.edge;

import dev.slipway.core.Cidr;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Tells the app who asked and how: {@code X-Forwarded-For}, {@code -Proto}, {@code -Host} and
 * {@code -Port}. What a client says of itself there is thrown away, unless it is a trusted proxy.
 *
 * @param trustedProxies whose word counts
 */
record ForwardedHeaders(List<Cidr> trustedProxies) {
  private static final CharSequence FOR = HttpHeaders.createOptimized("x-forwarded-for");
  private static final CharSequence PROTO = HttpHeaders.createOptimized("x-forwarded-proto");
  private static final CharSequence HOST = HttpHeaders.createOptimized("x-forwarded-host");
  private static final CharSequence PORT = HttpHeaders.createOptimized("x-forwarded-port");

  /**
   * @param headers those that go to the app, still with what the client sent
   */
  void write(Incoming incoming, MultiMap headers) {
    HttpServerRequest request = incoming.request();
    String client = request.remoteAddress().hostAddress();
    boolean trusted = !trustedProxies.isEmpty() && trusts(InetAddress.ofLiteral(client));
    if (!trusted) {
      removeClaims(headers);
    }
    // Several lines of X-Forwarded-For are one list (RFC 9110, 5.3).
    String before = String.join(", ", headers.getAll(FOR));
    headers.set(FOR, before.isEmpty() ? client : before + ", " + client);
    String scheme = request.isSSL() ? "https" : "http";
    setIfAbsent(headers, PROTO, scheme);
    String authority = incoming.destination().authority().orElse("");
    setIfAbsent(headers, HOST, authority);
    setIfAbsent(headers, PORT, port(authority, scheme));
  }

  /** Whether a trusted proxy says that the client speaks TLS with it. */
  boolean cameByHttps(HttpServerRequest request) {
    return "https".equalsIgnoreCase(request.getHeader(PROTO))
        && trusts(InetAddress.ofLiteral(request.remoteAddress().hostAddress()));
  }

  boolean trusts(InetAddress address) {
    return trustedProxies.stream().anyMatch(range -> range.contains(address));
  }

  private static void removeClaims(MultiMap headers) {
    List<String> claims = new ArrayList<>(0);
    for (Map.Entry<String, String> header : headers) {
      if (speaksOfTheClient(header.getKey())) {
        claims.add(header.getKey());
      }
    }
    claims.forEach(headers::remove);
  }

  private static boolean speaksOfTheClient(String header) {
    if (header.isEmpty() || "xXfF".indexOf(header.charAt(0)) < 0) {
      return false;
    }
    // CGI and WSGI cannot tell X_Forwarded_For from X-Forwarded-For.
    String name = header.toLowerCase(Locale.ROOT).replace('_', '-');
    return name.startsWith("x-forwarded-") || name.equals("forwarded") || name.equals("x-real-ip");
  }

  private static void setIfAbsent(MultiMap headers, CharSequence name, String value) {
    if (!headers.contains(name)) {
      headers.set(name, value);
    }
  }

  private static String port(String authority, String scheme) {
    int colon = authority.lastIndexOf(':');
    return Optional.of(authority.substring(colon + 1))
        .filter(port -> colon >= 0 && !port.isEmpty() && !port.endsWith("]"))
        .orElse(scheme.equals("https") ? "443" : "80");
  }
}
