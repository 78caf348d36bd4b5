package dev.slipway.edge;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Knows what a visitor's connection by HTTP/2 is waiting for, between the decoder and the library's
 * own listener. Ends requests that do not go on and refuses those that are too many or none; ends
 * the connection where it is silent or a flood. On the connection's event loop.
 */
final class WatchedStreams extends Http2FrameListenerDecorator
    implements ConnectionLimits.Limited, Trailers.Source {
  /** Frames that ask for nothing but cost time, in so long. Tools that measure lines send many. */
  private static final int MOST_IDLE_FRAMES = 10_000;

  private static final long IDLE_FRAMES_NANOS = Duration.ofSeconds(10).toNanos();

  private final Channel channel;
  private final Http2ConnectionHandler handler;
  private final Http2Connection streams;
  private final Http2Connection.PropertyKey key;
  private final ClientLimits limits;
  private final AddressCounts counts;
  private final Optional<InetAddress> client;
  private final Refusals refusals;
  private final Untaken untaken;

  private final long begunNanos = System.nanoTime();
  private long idleSinceNanos = begunNanos;
  private boolean acknowledged;
  private long idleFramesSinceNanos = begunNanos;
  private int idleFrames;

  /** One request. */
  private static final class Watched {
    private long receivedNanos = System.nanoTime();
    private long takenNanos = receivedNanos;
    private int window;

    /** It sends its body when the app has given leave for it. */
    private boolean waitsForLeave;

    /** It counts for its client. */
    private boolean counted;

    private @Nullable HttpHeaders trailers;
  }

  /**
   * @param counts requests under way, by client
   * @param client absent: not counted
   */
  WatchedStreams(
      Channel channel,
      Http2ConnectionHandler handler,
      ClientLimits limits,
      AddressCounts counts,
      Optional<InetAddress> client,
      Refusals refusals) {
    super(handler.decoder().frameListener());
    this.channel = channel;
    this.handler = handler;
    this.streams = handler.connection();
    this.key = streams.newKey();
    this.limits = limits;
    this.counts = counts;
    this.client = client;
    this.refusals = refusals;
    this.untaken = new Untaken(channel, limits.silence());
  }

  /** Begins. When the client's settings have been read, which is before its first request. */
  void install() {
    handler.decoder().frameListener(this);
    Trailers.announce(channel, this);
    streams.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamClosed(Http2Stream stream) {
            Watched watched = stream.getProperty(key);
            if (watched != null && watched.counted) {
              client.ifPresent(counts::letGo);
            } else if (watched == null && stream.isResetSent()) { // by the decoder
              refusals.add(Refusal.HEAD_UNREADABLE, channel.remoteAddress());
            }
          }
        });
  }

  /** The connection ends, as the client broke its rules. */
  void failed(Throwable cause) {
    if (cause instanceof Http2Exception rule) {
      refusals.add(
          rule.error() == Http2Error.ENHANCE_YOUR_CALM ? Refusal.FLOOD : Refusal.FRAMES_BROKEN,
          channel.remoteAddress());
    }
  }

  @Override
  public void check(long now) {
    if (untaken.isOver(now)) {
      refusals.add(Refusal.READER_SLOW, channel.remoteAddress());
      Channels.closeHard(channel);
    } else if (streams.numActiveStreams() > 0) {
      idleSinceNanos = now;
      checkStreams(now);
    } else if (now - idleSinceNanos > patience().toNanos()) {
      var _ = channel.close();
    }
  }

  @Override
  public void leave() {
    Farewell.say(channel, handler);
  }

  /** Until the first request has come, or our settings have taken effect, that of a head. */
  private Duration patience() {
    return acknowledged && streams.remote().lastStreamCreated() > 0 ? limits.idle() : limits.head();
  }

  private void checkStreams(long now) {
    try {
      streams.forEachActiveStream(stream -> {
        Watched watched = stream.getProperty(key);
        if (watched != null && isUntaken(stream, watched, now)) {
          reset(stream, Refusal.READER_SLOW, Http2Error.CANCEL);
        } else if (watched != null && isUnsent(stream, watched, now)) {
          reset(stream, Refusal.BODY_SLOW, Http2Error.CANCEL);
        }
        return true;
      });
    } catch (Http2Exception e) {
      throw new IllegalStateException(e); // What is visited throws none.
    }
    channel.flush();
  }

  /** Whether its window has been closed, and stayed as it was, for too long. */
  private boolean isUntaken(Http2Stream stream, Watched watched, long now) {
    Http2RemoteFlowController flow = handler.encoder().flowController();
    int window = flow.windowSize(stream);
    if (flow.isWritable(stream) || window != watched.window) {
      watched.window = window;
      watched.takenNanos = now;
    }
    return now - watched.takenNanos > limits.silence().toNanos();
  }

  /** Whether nothing comes of the body that is owed, though the client may send. */
  private boolean isUnsent(Http2Stream stream, Watched watched, long now) {
    var flow = handler.decoder().flowController();
    if (!stream.state().remoteSideOpen()
        || watched.waitsForLeave
        || flow.windowSize(stream) <= 0
        || flow.windowSize(streams.connectionStream()) <= 0) {
      watched.receivedNanos = now;
    }
    return now - watched.receivedNanos > limits.silence().toNanos();
  }

  private void reset(Http2Stream stream, Refusal why, Http2Error error) {
    refusals.add(why, channel.remoteAddress());
    ChannelHandlerContext context = channel.pipeline().context(handler);
    var _ = handler.resetStream(context, stream.id(), error.code(), context.newPromise());
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext context,
      int streamId,
      Http2Headers headers,
      int dependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean end)
      throws Http2Exception {
    Http2Stream stream = streams.stream(streamId);
    Watched known = stream.getProperty(key);
    if (known == null ? !begin(stream, headers) : !end(stream, known, headers)) {
      return;
    }
    super.onHeadersRead(context, streamId, headers, dependency, weight, exclusive, padding, end);
    if (known == null && stream.isResetSent()) { // The library found fault with it.
      refusals.add(Refusal.HEAD_UNREADABLE, channel.remoteAddress());
    }
  }

  private boolean begin(Http2Stream stream, Http2Headers headers) {
    Watched watched = new Watched();
    stream.setProperty(key, watched);
    if (!isToken(headers.method())) { // The library would end the connection.
      reset(stream, Refusal.HEAD_UNREADABLE, Http2Error.PROTOCOL_ERROR);
      return false;
    }
    if (client.isPresent() && !counts.take(client.get())) {
      reset(stream, Refusal.TOO_MANY_REQUESTS, Http2Error.REFUSED_STREAM);
      return false;
    }
    watched.counted = true;
    watched.waitsForLeave = headers.contains(HttpHeaderNames.EXPECT);
    return true;
  }

  private boolean end(Http2Stream stream, Watched watched, Http2Headers trailers) {
    try {
      watched.trailers = Trailers.permitted(trailers);
      return true;
    } catch (IllegalArgumentException e) { // It holds line ends, which HTTP/2 would let through.
      reset(stream, Refusal.HEAD_UNREADABLE, Http2Error.PROTOCOL_ERROR);
      return false;
    }
  }

  @Override
  public Optional<HttpHeaders> trailers(HttpServerRequest request) {
    return Optional.ofNullable(streams.stream(request.streamId()))
        .map(stream -> stream.<@Nullable Watched>getProperty(key))
        .map(watched -> watched.trailers);
  }

  private static boolean isToken(@Nullable CharSequence method) {
    return method == null
        || (!method.isEmpty() && HttpHeaderValidationUtil.validateToken(method) < 0);
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext context, int streamId, ByteBuf data, int padding, boolean end)
      throws Http2Exception {
    Watched watched = streams.stream(streamId).getProperty(key);
    if (watched != null) {
      watched.receivedNanos = System.nanoTime();
      watched.waitsForLeave = false;
    }
    return super.onDataRead(context, streamId, data, padding, end);
  }

  @Override
  public void onSettingsAckRead(ChannelHandlerContext context) throws Http2Exception {
    acknowledged = true;
    super.onSettingsAckRead(context);
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings)
      throws Http2Exception {
    countIdleFrame();
    super.onSettingsRead(context, settings);
  }

  @Override
  public void onPingRead(ChannelHandlerContext context, long data) throws Http2Exception {
    countIdleFrame();
    super.onPingRead(context, data);
  }

  @Override
  public void onPriorityRead(
      ChannelHandlerContext context, int streamId, int dependency, short weight, boolean exclusive)
      throws Http2Exception {
    countIdleFrame();
    super.onPriorityRead(context, streamId, dependency, weight, exclusive);
  }

  @Override
  public void onUnknownFrame(
      ChannelHandlerContext context, byte type, int streamId, Http2Flags flags, ByteBuf payload)
      throws Http2Exception {
    countIdleFrame();
    super.onUnknownFrame(context, type, streamId, flags, payload);
  }

  private void countIdleFrame() throws Http2Exception {
    long now = System.nanoTime();
    if (now - idleFramesSinceNanos > IDLE_FRAMES_NANOS) {
      idleFramesSinceNanos = now;
      idleFrames = 0;
    }
    if (++idleFrames > MOST_IDLE_FRAMES) {
      throw Http2Exception.connectionError(
          Http2Error.ENHANCE_YOUR_CALM, "frames that ask for nothing");
    }
  }
}
