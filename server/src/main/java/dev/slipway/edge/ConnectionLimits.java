package dev.slipway.edge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2Connection;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Closes the connections of one event loop whose next request does not come, or whose head comes
 * too slowly. A connection with a request under way may be silent as long as it likes: Vert.x has
 * an idle timeout, but that one ends silent answers and WebSockets too.
 */
final class ConnectionLimits {
  private final Duration headLimit;
  private final Duration idleLimit;
  private final Set<Limited> connections = new HashSet<>();

  ConnectionLimits(Duration headLimit, Duration idleLimit) {
    this.headLimit = headLimit;
    this.idleLimit = idleLimit;
  }

  /** Watches a new connection until it is closed. On its event loop. */
  void watch(HttpConnection connection) {
    Channel channel = Channels.of(connection);
    Limited limited =
        Channels.http2(connection)
            .<Limited>map(handler -> new Multiplexed(channel, handler.connection()))
            .orElseGet(() -> watched(channel));
    connections.add(limited);
    var _ = channel.closeFuture().addListener(_ -> connections.remove(limited));
  }

  private Watched watched(Channel channel) {
    Watched watched = new Watched(channel);
    channel.pipeline().addBefore("httpDecoder", "firstBytes", watched.firstBytes());
    channel.pipeline().addBefore("handler", "requests", watched);
    return watched;
  }

  /** Closes those that are over their time. To be called every now and then, on the event loop. */
  void check() {
    long now = System.nanoTime();
    // A copy, as closing one takes it out of the set.
    for (Limited connection : Set.copyOf(connections)) {
      if (connection.isOver(now)) {
        var _ = connection.channel().close();
      }
    }
  }

  private interface Limited {
    Channel channel();

    boolean isOver(long now);
  }

  /** One of HTTP/2: its head is a frame, so that it is either asked for something or idle. */
  private final class Multiplexed implements Limited {
    private final Channel channel;
    private final Http2Connection streams;
    private long idleSinceNanos = System.nanoTime();

    Multiplexed(Channel channel, Http2Connection streams) {
      this.channel = channel;
      this.streams = streams;
    }

    @Override
    public Channel channel() {
      return channel;
    }

    @Override
    public boolean isOver(long now) {
      if (streams.numActiveStreams() > 0) {
        idleSinceNanos = now;
      }
      boolean asked = streams.remote().lastStreamCreated() > 0;
      return now - idleSinceNanos > (asked ? idleLimit : headLimit).toNanos();
    }
  }

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

  private final class Watched extends ChannelDuplexHandler implements Limited {
    private final Channel channel;
    private Phase phase = Phase.NEW;
    private long sinceNanos = System.nanoTime();
    private int owed;

    Watched(Channel channel) {
      this.channel = channel;
    }

    @Override
    public Channel channel() {
      return channel;
    }

    @Override
    public boolean isOver(long now) {
      return switch (phase) {
        case NEW, HEAD -> now - sinceNanos > headLimit.toNanos();
        case IDLE -> now - sinceNanos > idleLimit.toNanos();
        case BUSY -> false;
      };
    }

    private void enter(Phase next) {
      phase = next;
      sinceNanos = System.nanoTime();
    }

    ChannelInboundHandlerAdapter firstBytes() {
      return new ChannelInboundHandlerAdapter() {
        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
          if (phase == Phase.IDLE) {
            enter(Phase.HEAD);
          }
          context.fireChannelRead(bytes);
        }
      };
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest) {
        owed++;
        enter(Phase.BUSY);
      }
      context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      boolean interim = message instanceof HttpResponse response && response.status().code() < 200;
      if (message instanceof LastHttpContent && !interim && --owed == 0) {
        enter(Phase.IDLE);
      }
      var _ = context.write(message, promise);
    }
  }
}
