package dev.slipway.edge;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Connection;
import io.vertx.core.http.HttpConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Closes the connections of one event loop whose next request does not come, or comes too slowly,
 * or whose client takes nothing. A connection whose request is under way may be silent as long as
 * it likes otherwise: Vert.x has an idle timeout, but that one ends silent answers and WebSockets
 * too.
 */
final class ConnectionLimits {
  private final ClientLimits limits;
  private final AddressCounts counts;
  private final Refusals refusals;
  private final Predicate<InetAddress> trusted;
  private final Set<Limited> connections = new HashSet<>();

  /**
   * @param trusted whose connections are not counted
   */
  ConnectionLimits(
      ClientLimits limits,
      AddressCounts counts,
      Refusals refusals,
      Predicate<InetAddress> trusted) {
    this.limits = limits;
    this.counts = counts;
    this.refusals = refusals;
    this.trusted = trusted;
  }

  /** Watches a new connection until it is closed. On its event loop. */
  void watch(HttpConnection connection) {
    Channel channel = Channels.of(connection);
    Optional<InetAddress> counted = counted(channel);
    if (counted.isPresent() && !counts.take(counted.get())) {
      refusals.add(Refusal.TOO_MANY, channel.remoteAddress());
      Channels.closeHard(connection);
      return;
    }
    Limited limited =
        Channels.http2(connection)
            .<Limited>map(handler -> new Multiplexed(channel, handler.connection()))
            .orElseGet(() -> watched(channel));
    connections.add(limited);
    var _ =
        channel
            .closeFuture()
            .addListener(_ -> {
              connections.remove(limited);
              counted.ifPresent(counts::letGo);
            });
  }

  private WatchedConnection watched(Channel channel) {
    WatchedConnection watched = new WatchedConnection(channel, limits, refusals);
    channel.pipeline().addBefore("httpDecoder", "firstBytes", watched.firstBytes());
    channel.pipeline().addBefore("handler", "requests", watched);
    return watched;
  }

  private Optional<InetAddress> counted(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress client
        ? Optional.of(client.getAddress()).filter(trusted.negate())
        : Optional.empty();
  }

  /** Closes those that are over their time. To be called every now and then, on the event loop. */
  void check() {
    long now = System.nanoTime();
    // A copy, as closing one takes it out of the set.
    Set.copyOf(connections).forEach(connection -> connection.check(now));
  }

  /** A connection that may be over its time. */
  interface Limited {
    /** Closes it where it is. */
    void check(long nowNanos);
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
    public void check(long nowNanos) {
      if (streams.numActiveStreams() > 0) {
        idleSinceNanos = nowNanos;
      }
      boolean asked = streams.remote().lastStreamCreated() > 0;
      Duration limit = asked ? limits.idle() : limits.head();
      if (nowNanos - idleSinceNanos > limit.toNanos()) {
        var _ = channel.close();
      }
    }
  }
}
