package dev.slipway.edge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.net.impl.NetServerImpl;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Optional;

/** What Vert.x does not offer of a connection. */
final class Channels {
  private Channels() {}

  static Channel of(HttpConnection connection) {
    return ((ConnectionBase) connection).channel();
  }

  /**
   * What accepts connections at a port. Vert.x shows none before its TLS handshake, nor one by
   * HTTP/2 before its first frame, and has no other way to it than this.
   */
  static Channel accepting(Vertx vertx, int port) {
    try {
      Field bound = NetServerImpl.class.getDeclaredField("bindFuture");
      bound.setAccessible(true);
      return (Channel) ((Future<?>) bound.get(serverAt(vertx, port))).result();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not the Vert.x that this was written for", e);
    }
  }

  private static NetServer serverAt(Vertx vertx, int port) {
    Map<?, ? extends NetServer> servers = ((VertxInternal) vertx).sharedTcpServers();
    synchronized (servers) { // As Vert.x does: another event loop may be opening a port.
      return servers.values().stream()
          .filter(it -> it.actualPort() == port)
          .findFirst()
          .orElseThrow();
    }
  }

  /** What speaks HTTP/2 on a connection, if something does. */
  static Optional<Http2ConnectionHandler> http2(HttpConnection connection) {
    return Optional.ofNullable(of(connection).pipeline().get(Http2ConnectionHandler.class));
  }

  /**
   * Whether a request by HTTP/2 has a body, of which no header need tell: some of it has come, or
   * its end has not. To be asked when the frame of its head has been dealt with, and before any of
   * the body has been taken.
   */
  static boolean hasBody(HttpServerRequest request) {
    return http2(request.connection())
        .map(Http2ConnectionHandler::connection)
        .flatMap(all ->
            Optional.ofNullable(all.stream(request.streamId()))
                .map(stream ->
                    stream.state().remoteSideOpen()
                        || all.local().flowController().unconsumedBytes(stream) > 0))
        .orElse(false);
  }

  /**
   * Ends a request's connection so that the client sees an error even where the end of the
   * connection would mean the end of the answer, and without waiting for a client that reads
   * nothing.
   */
  static void closeHard(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset(Http2Error.INTERNAL_ERROR.code());
      return;
    }
    closeHard(request.connection());
  }

  /** Ends a connection at once, with a reset; what is still to be sent is not. */
  static void closeHard(HttpConnection connection) {
    closeHard(of(connection));
  }

  static void closeHard(Channel channel) {
    if (channel.isOpen()) {
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
      if (channel.eventLoop().inEventLoop()) {
        // Past the handlers: those of Vert.x would wait until all is written.
        channel.unsafe().close(channel.newPromise());
      } else {
        var _ = channel.close();
      }
    }
  }
}
