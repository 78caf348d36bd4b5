package dev.slipway.edge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Headers that follow a body. Of requests Vert.x hands over none and sends none: they are taken
 * from where its connection reads, and put in where that to the app writes.
 */
final class Trailers {
  private static final AttributeKey<Source> SOURCE = AttributeKey.valueOf("slipway.trailers");

  /** What must be known before the body is read (RFC 9110, 6.5.1), or means one connection only. */
  private static final Set<String> NOT_BEHIND =
      Set.of(
          "age",
          "authorization",
          "cache-control",
          "connection",
          "content-encoding",
          "content-length",
          "content-range",
          "content-type",
          "cookie",
          "date",
          "expect",
          "expires",
          "forwarded",
          "host",
          "http2-settings",
          "keep-alive",
          "location",
          "max-forwards",
          "pragma",
          "proxy-authenticate",
          "proxy-authorization",
          "proxy-connection",
          "range",
          "retry-after",
          "set-cookie",
          "strict-transport-security",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "vary",
          "warning",
          "www-authenticate");

  /** What reads a connection's requests. */
  interface Source {
    /** Those of a request whose end has been read. */
    Optional<HttpHeaders> trailers(HttpServerRequest request);
  }

  private Trailers() {}

  static void announce(Channel connection, Source source) {
    connection.attr(SOURCE).set(source);
  }

  /** Those of a request that has come to its end. */
  static Optional<HttpHeaders> of(HttpServerRequest request) {
    return Optional.ofNullable(Channels.of(request.connection()).attr(SOURCE).get())
        .flatMap(source -> source.trailers(request));
  }

  /**
   * Without those that may not stand there.
   *
   * @throws IllegalArgumentException where one is none
   */
  static HttpHeaders permitted(
      Iterable<? extends Map.Entry<? extends CharSequence, ? extends CharSequence>> all) {
    HttpHeaders permitted = new DefaultHttpHeaders();
    for (var trailer : all) {
      String name = trailer.getKey().toString().toLowerCase(Locale.ROOT);
      boolean speaksOfTheClient =
          name.startsWith("x-forwarded-") || name.startsWith("if-") || name.equals("x-real-ip");
      if (!NOT_BEHIND.contains(name) && !speaksOfTheClient) {
        permitted.add(trailer.getKey(), trailer.getValue());
      }
    }
    return permitted;
  }

  /** Has them follow the body that is being sent to an app, when its end is written. */
  static void append(HttpConnection app, HttpHeaders trailers) {
    Channels.of(app)
        .pipeline()
        .addBefore(
            "handler",
            null,
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void write(
                  ChannelHandlerContext context, Object message, ChannelPromise promise) {
                if (message instanceof LastHttpContent last) {
                  var _ =
                      context.write(new DefaultLastHttpContent(last.content(), trailers), promise);
                  context.pipeline().remove(this);
                } else {
                  var _ = context.write(message, promise);
                }
              }
            });
  }
}
