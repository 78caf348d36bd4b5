package dev.slipway.edge;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerRequest;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Knows what a visitor's connection is waiting for, between the decoder and the library's own
 * handler, and ends it where that does not come or cannot be read. On the connection's event loop.
 */
final class WatchedConnection extends ChannelDuplexHandler
    implements ConnectionLimits.Limited, Trailers.Source {
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
  private final Journal journal;
  private final Untaken untaken;

  private Phase phase = Phase.NEW;
  private long sinceNanos = System.nanoTime();
  private int owed;

  /** The head of the answer that is owed first has been sent. */
  private boolean begun;

  /** The end of the last request's body has not come. */
  private boolean receiving;

  /** No request after this one counts. */
  private boolean closing;

  /** Of the requests that are owed an answer, by their headers, which tell them apart. */
  private final IdentityHashMap<HttpHeaders, HttpHeaders> trailers = new IdentityHashMap<>(0);

  private @Nullable HttpHeaders lastHeaders;

  /** It was not read strictly, so that it is the last one. */
  private boolean once;

  private long receivedNanos;

  WatchedConnection(Channel channel, ClientLimits limits, Refusals refusals, Journal journal) {
    this.channel = channel;
    this.limits = limits;
    this.refusals = refusals;
    this.journal = journal;
    this.untaken = new Untaken(channel, limits.silence());
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
        if (untaken.isOver(now)) {
          tell(Refusal.READER_SLOW, HttpResponseStatus.REQUEST_TIMEOUT);
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
    ConnectionEnd end = tell(why, status);
    closing = true;
    if (owed == 0) {
      journal.unread(channel, end);
    }
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

  private ConnectionEnd tell(Refusal why, HttpResponseStatus status) {
    refusals.add(why, channel.remoteAddress());
    ConnectionEnd end = new ConnectionEnd(why, status.code());
    end.keep(channel);
    return end;
  }

  @Override
  public void leave() {
    channel.pipeline().addBefore("requests", "farewell", new Farewell(owed, receiving));
  }

  private void enter(Phase next) {
    phase = next;
    sinceNanos = System.nanoTime();
  }

  /** Begins. Before the first byte has come, but where that was missed. */
  void install() {
    once = ProtocolChoice.wasMissed(channel);
    if (!once) {
      channel.pipeline().addBefore("httpDecoder", "firstBytes", firstBytes());
    }
    channel.pipeline().addBefore("handler", "requests", this);
    Trailers.announce(channel, this);
  }

  @Override
  public Optional<HttpHeaders> trailers(HttpServerRequest request) {
    return request.headers() instanceof HttpHeaders headers
        ? Optional.ofNullable(trailers.get(headers))
        : Optional.empty();
  }

  private ChannelInboundHandlerAdapter firstBytes() {
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
    if (message instanceof LastHttpContent last) {
      receiving = false;
      if (lastHeaders != null && !last.trailingHeaders().isEmpty() && owed > 0) {
        trailers.put(lastHeaders, Trailers.permitted(last.trailingHeaders()));
      }
      if (owed == 0 && phase == Phase.HEAD) {
        enter(Phase.IDLE); // What came was the rest of a body that has been answered.
      }
    }
    context.fireChannelRead(message);
  }

  private void begin(HttpRequest request) {
    owed++;
    lastHeaders = request.headers();
    receiving = !HttpUtil.is100ContinueExpected(request); // Until then the app may take its time.
    enter(Phase.BUSY);
    if (once) {
      request.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    if (request.decoderResult().isFailure()) {
      tell(Refusal.HEAD_UNREADABLE, HttpResponseStatus.BAD_REQUEST);
      closing = true;
    } else if (StrictRequestDecoder.isDoubtful(request)) {
      tell(Refusal.HEAD_DOUBTFUL, HttpResponseStatus.BAD_REQUEST);
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
        trailers.clear();
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
