package dev.slipway.edge;

import dev.slipway.accesslog.AccessLines;
import dev.slipway.metric.Traffic;
import dev.slipway.metric.TrafficMeters;
import io.netty.channel.Channel;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes down and counts the requests of one event loop that have ended ({@link Exchange}). Of what
 * a client sends, the path and the name of its program alone: never the query, whose values may be
 * secrets, nor a header that holds some. On that event loop.
 */
final class Journal {
  private static final byte[] ID = AccessLines.name("id");
  private static final byte[] CLIENT = AccessLines.name("client");
  private static final byte[] METHOD = AccessLines.name("method");
  private static final byte[] SCHEME = AccessLines.name("scheme");
  private static final byte[] HOST = AccessLines.name("host");
  private static final byte[] PATH = AccessLines.name("path");
  private static final byte[] PROTOCOL = AccessLines.name("protocol");
  private static final byte[] STATUS = AccessLines.name("status");
  private static final byte[] RECEIVED = AccessLines.name("bytes_in");
  private static final byte[] SENT = AccessLines.name("bytes_out");
  private static final byte[] DURATION = AccessLines.name("duration_ms");
  private static final byte[] UPSTREAM = AccessLines.name("upstream_ms");
  private static final byte[] USER_AGENT = AccessLines.name("user_agent");
  private static final byte[] PROJECT = AccessLines.name("project");
  private static final byte[] DEPLOYMENT = AccessLines.name("deployment");
  private static final byte[] INSTANCE = AccessLines.name("instance");
  private static final byte[] ABORTED = AccessLines.name("aborted");
  private static final byte[] REASON = AccessLines.name("reason");
  private static final int WORD = 128;
  private static final int NAME = 256;
  private static final int LONG = 2048;

  private final boolean writes;
  private final AccessLines lines;
  private final TrafficMeters meters;
  private final ClientAddress clients;

  Journal(EdgeRecords records, ClientAddress clients) {
    this.writes = records.accessLog().isOn();
    this.lines = records.accessLog().lines();
    this.meters = records.meters();
    this.clients = clients;
  }

  /** Of a request whose head could be read, or as much of it as was. */
  Exchange begin(HttpServerRequest request, Destination destination) {
    Exchange exchange = Exchange.of(request);
    exchange.begin(this, destination);
    return exchange;
  }

  Traffic traffic(Route route) {
    return meters.of(route.project());
  }

  Traffic api() {
    return meters.api();
  }

  Traffic others() {
    return meters.others();
  }

  /** Hands over what has been written. To be called every now and then. */
  void flush() {
    lines.flush();
  }

  void write(Exchange exchange) {
    if (!writes) {
      return;
    }
    HttpServerRequest request = exchange.request();
    lines.begin(System.currentTimeMillis());
    lines.text(ID, exchange.knownId(), WORD);
    lines.text(CLIENT, clients.address(request), WORD);
    lines.text(METHOD, request.method().name(), WORD);
    lines.text(SCHEME, request.isSSL() ? "https" : "http", WORD);
    Destination destination = exchange.destination();
    if (destination != null) {
      lines.text(HOST, destination.authority().map(Journal::host).orElse(null), NAME);
      lines.text(PATH, path(destination.uri()), LONG);
    }
    lines.text(PROTOCOL, protocol(request.version()), WORD);
    lines.number(STATUS, exchange.status());
    lines.number(RECEIVED, exchange.received());
    lines.number(SENT, exchange.sent());
    lines.millis(DURATION, exchange.tookNanos());
    if (exchange.upstreamNanos() >= 0) {
      lines.millis(UPSTREAM, exchange.upstreamNanos());
    }
    lines.text(USER_AGENT, request.getHeader(HttpHeaders.USER_AGENT), NAME);
    Route route = exchange.route();
    if (route != null) {
      lines.text(PROJECT, route.project().value(), WORD);
      lines.text(DEPLOYMENT, route.deployment().value(), WORD);
    }
    Target target = exchange.target();
    if (target != null) {
      lines.text(INSTANCE, target.instance().value(), WORD);
    }
    if (exchange.isAborted()) {
      lines.yes(ABORTED);
    }
    lines.text(REASON, exchange.reason(), WORD);
    lines.end();
  }

  /** A connection that was ended before its first, or its next, head was there. */
  void unread(Channel channel, ConnectionEnd end) {
    Traffic traffic = others();
    traffic.begun();
    traffic.ended(end.status(), false, 0, 0, 0);
    if (writes) {
      lines.begin(System.currentTimeMillis());
      lines.text(CLIENT, address(channel.remoteAddress()).orElse(null), WORD);
      lines.number(STATUS, end.status());
      lines.text(REASON, end.reason(), WORD);
      lines.end();
    }
  }

  private static Optional<String> address(SocketAddress address) {
    return address instanceof InetSocketAddress client
        ? Optional.of(client.getAddress().getHostAddress())
        : Optional.empty();
  }

  /** Without the login that may stand before it where the request names a whole address. */
  private static String host(String authority) {
    return authority.substring(authority.lastIndexOf('@') + 1);
  }

  /** Null where what is asked for is no path. */
  private static @Nullable String path(String uri) {
    if (!uri.startsWith("/") && !uri.equals("*")) {
      return null;
    }
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  /** Null for a version that there is not. */
  private static @Nullable String protocol(@Nullable HttpVersion version) {
    return switch (version) {
      case null -> null;
      case HTTP_1_0 -> "HTTP/1.0";
      case HTTP_1_1 -> "HTTP/1.1";
      case HTTP_2 -> "HTTP/2";
    };
  }
}
