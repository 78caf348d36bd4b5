package dev.slipway.edge;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why the edge ends a connection, kept with it for the request that is under way there.
 *
 * @param status that the client is told, where it can be told anything
 */
record ConnectionEnd(Refusal why, int status) {
  private static final AttributeKey<ConnectionEnd> KEY =
      AttributeKey.valueOf(ConnectionEnd.class, "end");

  void keep(Channel channel) {
    channel.attr(KEY).set(this);
  }

  /** Null where the edge did not end it. */
  static @Nullable ConnectionEnd of(HttpServerRequest request) {
    return Channels.of(request.connection()).attr(KEY).get();
  }

  String reason() {
    return why.name().toLowerCase(Locale.ROOT);
  }
}
