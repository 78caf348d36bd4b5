package dev.slipway.edge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;

/** What Vert.x does not offer of a client's connection. */
final class ClientChannel {
  private ClientChannel() {}

  static Channel of(HttpConnection connection) {
    return ((ConnectionBase) connection).channel();
  }

  /**
   * Ends a request's connection so that the client sees an error even where the end of the
   * connection would mean the end of the answer, and without waiting for a client that reads
   * nothing.
   */
  static void closeHard(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset();
      return;
    }
    Channel channel = of(request.connection());
    channel.config().setOption(ChannelOption.SO_LINGER, 0);
    var _ = channel.close();
  }
}
