package dev.slipway.edge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.ConnectionBase;

/** Counts what goes over a connection that has become a WebSocket. On its event loop. */
final class TunnelBytes extends ChannelDuplexHandler {
  private long received;
  private long sent;

  private TunnelBytes() {}

  static TunnelBytes count(NetSocket socket) {
    TunnelBytes bytes = new TunnelBytes();
    ((ConnectionBase) socket).channel().pipeline().addBefore("handler", "bytes", bytes);
    return bytes;
  }

  long received() {
    return received;
  }

  long sent() {
    return sent;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof ByteBuf bytes) {
      received += bytes.readableBytes();
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes) {
      sent += bytes.readableBytes();
    }
    var _ = context.write(message, promise);
  }
}
