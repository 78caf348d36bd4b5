package dev.slipway.edge;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Has a client go elsewhere without losing a request: its next answer says that it is the last, and
 * a client that asks for nothing more is closed after a while. On the connection's event loop.
 */
final class Farewell extends ChannelDuplexHandler {
  /** An idle connection may have a request on its way. */
  private static final Duration IDLE = Duration.ofSeconds(5);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private int owed;
  private boolean receiving;
  private boolean announced;
  private boolean answered;

  /**
   * @param owed answers that have not ended
   * @param receiving whether a request has not ended
   */
  Farewell(int owed, boolean receiving) {
    this.owed = owed;
    this.receiving = receiving;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    var _ =
        context
            .executor()
            .schedule(
                () -> {
                  if (owed == 0 && !receiving) {
                    var _ = context.close();
                  }
                },
                IDLE.toMillis(),
                TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest) {
      if (announced) {
        answered = true; // what it sends after that is for nobody: it will ask again elsewhere
      } else {
        owed++;
        receiving = true;
      }
    }
    if (answered) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof LastHttpContent) {
      receiving = false;
      if (announced && owed == 0) {
        // After the answer, which may not have been flushed yet.
        var _ =
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
      }
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    boolean interim = false;
    if (message instanceof HttpResponse response) {
      interim = response.status().code() < HttpResponseStatus.OK.code();
      if (!interim && owed == 1) {
        response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        announced = true;
      }
    }
    ChannelPromise end = promise;
    if (message instanceof LastHttpContent && !interim) {
      owed--;
      if (owed == 0 && announced && !receiving) {
        end = promise.unvoid();
        var _ = end.addListener(ChannelFutureListener.CLOSE);
      }
    }
    var _ = context.write(message, end);
  }

  /** The same by HTTP/2: no stream is refused, and the connection ends with the last one. */
  static void say(Channel channel, Http2ConnectionHandler http2) {
    ChannelHandlerContext context = channel.pipeline().context(http2);
    if (context == null || !channel.isActive()) {
      return;
    }
    var _ =
        http2.goAway(
            context,
            Integer.MAX_VALUE,
            Http2Error.NO_ERROR.code(),
            Unpooled.EMPTY_BUFFER,
            context.newPromise());
    http2.flush(context);
    var look =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(
                () -> {
                  if (http2.connection().numActiveStreams() == 0) {
                    var _ = channel.close();
                  }
                },
                2 * BETWEEN_LOOKS.toMillis(),
                BETWEEN_LOOKS.toMillis(),
                TimeUnit.MILLISECONDS);
    var _ = channel.closeFuture().addListener(_ -> look.cancel(false));
  }
}
