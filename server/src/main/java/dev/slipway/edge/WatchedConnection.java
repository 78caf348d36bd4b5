package dev.slipway.edge;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Objects;

/**
 * Knows what a visitor's connection is waiting for, between the decoder and the library's own
 * handler, and ends it where that does not come or cannot be read. On the connection's event loop.
 */
final class WatchedConnection extends ChannelDuplexHandler implements ConnectionLimits.Limited {
  private enum Phase {
    /** Open, and no byte of a first request yet; takes the time of a head. */
    NEW,
    /** Part of a head has come. What is left of a body after its answer counts the same. */
    HEAD,
    /** At least one answer is owed. */
    BUSY,
    /** Between two requests. */
    IDLE
  }

  private final Channel channel;
  private final ClientLimits limits;
  private final Refusals refusals;

  private Phase phase = Phase.NEW;
  private long sinceNanos = System.nanoTime();
  private int owed;

  /** The head of the answer that is owed first has been sent. */
  private boolean begun;

  /** The end of the last request's body has not come. */
  private boolean receiving;

  /** No request after this one counts. */
  private boolean closing;

  private long receivedNanos;
  private long sentNanos = System.nanoTime();
  private int sentMark;

  WatchedConnection(Channel channel, ClientLimits limits, Refusals refusals) {
    this.channel = channel;
    this.limits = limits;
    this.refusals = refusals;
  }

  /** Ends it where it is over its time. To be called every now and then. */
  @Override
  public void check(long now) {
    switch (phase) {
      case NEW -> closeAfter(now, limits.head().toNanos());
      case IDLE -> closeAfter(now, limits.idle().toNanos());
      case HEAD -> {
        if (now - sinceNanos > limits.head().toNanos()) {
          refuse(Refusal.HEAD_SLOW, HttpResponseStatus.REQUEST_TIMEOUT);
        }
      }
      case BUSY -> {
        if (isUntaken(now)) {
          refusals.add(Refusal.READER_SLOW, channel.remoteAddress());
          Channels.closeHard(channel);
        } else if (isUnsent(now)) {
          refuse(Refusal.BODY_SLOW, HttpResponseStatus.REQUEST_TIMEOUT);
        }
      }
    }
  }

  private void closeAfter(long now, long limitNanos) {
    if (now - sinceNanos > limitNanos) {
      var _ = channel.close();
    }
  }

  /** Whether the client takes nothing of what lies here for it. */
  private boolean isUntaken(long now) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    if (waiting == null || waiting.totalPendingWriteBytes() == 0) {
      sentNanos = now;
      return false;
    }
    int mark =
        Objects.hash(
            System.identityHashCode(waiting.current()),
            waiting.currentProgress(),
            waiting.totalPendingWriteBytes());
    if (mark != sentMark) {
      sentMark = mark;
      sentNanos = now;
    }
    return now - sentNanos > limits.silence().toNanos();
  }

  /** Whether the client sends nothing of the body that it owes, though we would read it. */
  private boolean isUnsent(long now) {
    if (!receiving || !channel.config().isAutoRead()) {
      receivedNanos = now;
      return false;
    }
    return now - receivedNanos > limits.silence().toNanos();
  }

  /** Answers, where that is still possible, and closes. */
  private void refuse(Refusal why, HttpResponseStatus status) {
    if (closing) {
      var _ = channel.close();
      return;
    }
    refusals.add(why, channel.remoteAddress());
    closing = true;
    if (begun || owed > 1) {
      Channels.closeHard(channel);
      return;
    }
    var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
    answer
        .headers()
        .set(HttpHeaderNames.CONTENT_LENGTH, "0")
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    begun = true;
    channel.pipeline().context(this).writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
  }

  private void enter(Phase next) {
    phase = next;
    sinceNanos = System.nanoTime();
  }

  ChannelInboundHandlerAdapter firstBytes() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object bytes) {
        receivedNanos = System.nanoTime();
        if (phase == Phase.IDLE) {
          enter(Phase.HEAD);
        } else if (phase == Phase.NEW) {
          phase = Phase.HEAD; // Its time has begun with the connection.
        }
        context.fireChannelRead(bytes);
      }
    };
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (closing) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      begin(request);
    } else if (message instanceof HttpContent content && content.decoderResult().isFailure()) {
      ReferenceCountUtil.release(message);
      refuse(Refusal.BODY_UNREADABLE, HttpResponseStatus.BAD_REQUEST);
      return;
    }
    if (message instanceof LastHttpContent) {
      receiving = false;
      if (owed == 0 && phase == Phase.HEAD) {
        enter(Phase.IDLE); // What came was the rest of a body that has been answered.
      }
    }
    context.fireChannelRead(message);
  }

  private void begin(HttpRequest request) {
    owed++;
    receiving = !HttpUtil.is100ContinueExpected(request); // Until then the app may take its time.
    enter(Phase.BUSY);
    if (request.decoderResult().isFailure()) {
      refusals.add(Refusal.HEAD_UNREADABLE, channel.remoteAddress());
      closing = true;
    } else if (StrictRequestDecoder.isDoubtful(request)) {
      refusals.add(Refusal.HEAD_DOUBTFUL, channel.remoteAddress());
      request.setDecoderResult(
          DecoderResult.failure(
              new IllegalArgumentException("the end of the request is not sure")));
      closing = true;
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    boolean interim = message instanceof HttpResponse response && response.status().code() < 200;
    if (message instanceof HttpResponse response) {
      begun |= !interim;
      if (response.status().equals(HttpResponseStatus.CONTINUE)) {
        receiving = true;
        receivedNanos = System.nanoTime();
      }
    }
    ChannelPromise end = promise;
    if (message instanceof LastHttpContent && !interim) {
      begun = false;
      if (--owed == 0) {
        enter(Phase.IDLE);
        if (closing) {
          end = promise.unvoid();
          var _ = end.addListener(ChannelFutureListener.CLOSE);
        }
      }
    }
    var _ = context.write(message, end);
  }
}
