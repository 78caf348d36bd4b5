package dev.slipway.edge;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request asks for.
 *
 * @param authority host and port as the client wrote them
 * @param uri path and query, or {@code *}
 */
record Destination(HostName host, Optional<String> authority, String uri) {
  private static final Pattern ABSOLUTE =
      Pattern.compile("https?://([^/?#]*)(.*)", Pattern.CASE_INSENSITIVE);

  static Destination of(HttpServerRequest request) {
    String uri = request.uri();
    if (request.version() == HttpVersion.HTTP_2) {
      return ofHttp2(request, uri);
    }
    List<String> hosts = request.headers().getAll(HttpHeaders.HOST);
    if (hosts.size() > 1 || request.method().equals(HttpMethod.CONNECT)) {
      return malformed(uri);
    }
    if (uri.startsWith("/") || uri.equals("*")) {
      Optional<String> authority = hosts.stream().findFirst();
      return new Destination(HostName.parse(authority), authority, uri);
    }
    // RFC 9112, 3.2.2: the authority of an absolute address counts, whatever Host says.
    Matcher absolute = ABSOLUTE.matcher(uri);
    if (!absolute.matches() || absolute.group(1).isEmpty()) {
      return malformed(uri);
    }
    Optional<String> authority = Optional.of(absolute.group(1));
    String path = absolute.group(2);
    return new Destination(
        HostName.parse(authority), authority, path.startsWith("/") ? path : "/" + path);
  }

  /** Vert.x has seen that {@code Host}, where there is one too, is the same. */
  private static Destination ofHttp2(HttpServerRequest request, String uri) {
    if (request.method().equals(HttpMethod.CONNECT)
        || (!uri.startsWith("/") && !uri.equals("*"))
        || uri.indexOf(' ') >= 0
        || hasControls(uri)
        || request.headers().getAll(HttpHeaders.HOST).size() > 1
        || request.headers().entries().stream().anyMatch(it -> hasControls(it.getValue()))) {
      return malformed(uri);
    }
    Optional<String> authority =
        Optional.ofNullable(request.authority()).map(HostAndPort::toString);
    return new Destination(HostName.parse(authority), authority, uri);
  }

  /**
   * HTTP/2 has no lines that they would end: the HTTP/1.1 of the application has (RFC 9113, 8.2.1).
   */
  private static boolean hasControls(String text) {
    return text.chars().anyMatch(next -> (next < ' ' && next != '\t') || next == 0x7f);
  }

  private static Destination malformed(String uri) {
    return new Destination(new HostName.Malformed(), Optional.empty(), uri);
  }
}
