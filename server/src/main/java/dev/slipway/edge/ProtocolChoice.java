package dev.slipway.edge;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.impl.Http1xOrH2CHandler;
import java.util.List;

/**
 * Reads what a connection without TLS begins with: HTTP/2 by a client that knows of it, or a
 * request by HTTP/1. With the latter it has Vert.x set up its connection before a byte of the
 * request is read. By itself Vert.x would do so when it has read the first head, and would let a
 * client go over to HTTP/2 in the middle of the connection.
 */
final class ProtocolChoice extends ByteToMessageDecoder {
  private static final byte[] PREFACE = Http1xOrH2CHandler.HTTP_2_PREFACE.getBytes(US_ASCII);
  private static final String DECIDED = "decided";

  /** What Vert.x has in a pipeline by HTTP/1 until the first head has been read. */
  private static final String UNDECIDED = "h2c";

  /** What the library has not: a method of HTTP/1 begins with it, and HTTP/2 does not. */
  private static final byte[] NOT_A_PREFACE = {'G'};

  /**
   * Whether Vert.x has read the first head of a connection itself: one that came in the moment
   * between the port's opening and the {@link Entrance}.
   */
  static boolean wasMissed(Channel connection) {
    ChannelPipeline pipeline = connection.pipeline();
    return pipeline.get(UNDECIDED) != null && pipeline.get(DECIDED) == null;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> out) {
    int begun = Math.min(bytes.readableBytes(), PREFACE.length);
    for (int i = 0; i < begun; i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != PREFACE[i]) {
        speakHttp1(context);
        context.pipeline().remove(this); // What has been read goes on from here.
        return;
      }
    }
    if (begun == PREFACE.length) {
      context.pipeline().remove(this);
    }
  }

  /** Shows Vert.x a byte and a request, which come no further, to have it make up its mind. */
  private static void speakHttp1(ChannelHandlerContext context) {
    ChannelPipeline pipeline = context.pipeline();
    String choice = pipeline.context(Http1xOrH2CHandler.class).name();
    pipeline.addAfter(choice, DECIDED, new Swallow());
    context.fireChannelRead(Unpooled.wrappedBuffer(NOT_A_PREFACE));
    pipeline.remove(DECIDED);

    pipeline.addAfter(UNDECIDED, DECIDED, new Swallow());
    pipeline
        .context("httpEncoder")
        .fireChannelRead(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
    pipeline.remove(DECIDED);
  }

  private static final class Swallow extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
    }
  }
}
