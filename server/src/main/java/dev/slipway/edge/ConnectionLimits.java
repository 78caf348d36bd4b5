package dev.slipway.edge;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Closes the connections of one event loop whose next request does not come, or comes too slowly,
 * or whose client takes nothing. A connection whose request is under way may be silent as long as
 * it likes otherwise: Vert.x has an idle timeout, but that one ends silent answers and WebSockets
 * too.
 */
final class ConnectionLimits {
  private final ClientLimits limits;
  private final Entrance entrance;
  private final AddressCounts requests;
  private final Refusals refusals;
  private final Map<Channel, Limited> connections = new HashMap<>();
  private boolean leaving;

  /**
   * @param requests those under way by HTTP/2
   */
  ConnectionLimits(
      ClientLimits limits, Entrance entrance, AddressCounts requests, Refusals refusals) {
    this.limits = limits;
    this.entrance = entrance;
    this.requests = requests;
    this.refusals = refusals;
  }

  /** Watches a connection from now on: it is to begin TLS, or HTTP. On its event loop. */
  void arrived(Channel channel) {
    long since = System.nanoTime();
    watch(
        channel,
        new Limited() {
          @Override
          public void check(long now) {
            if (now - since > limits.head().toNanos()) {
              var _ = channel.close();
            }
          }

          @Override
          public void leave() {
            // When it speaks HTTP: it may have a request on its way.
          }
        });
  }

  /** Watches one that speaks HTTP now. */
  void watch(HttpConnection connection, Journal journal) {
    Channel channel = Channels.of(connection);
    Optional<Http2ConnectionHandler> http2 = Channels.http2(connection);
    if (http2.isPresent()) {
      WatchedStreams watched =
          new WatchedStreams(
              channel, http2.get(), limits, requests, entrance.counted(channel), refusals);
      watched.install();
      connection.exceptionHandler(watched::failed);
      watch(channel, watched);
    } else {
      WatchedConnection watched = new WatchedConnection(channel, limits, refusals, journal);
      watched.install();
      watch(channel, watched);
    }
  }

  private void watch(Channel channel, Limited limited) {
    if (connections.put(channel, limited) == null) {
      var _ = channel.closeFuture().addListener(_ -> connections.remove(channel));
    }
    if (leaving) {
      limited.leave();
    }
  }

  /** Closes those that are over their time. To be called every now and then, on the event loop. */
  void check() {
    long now = System.nanoTime();
    // A copy, as closing one takes it out.
    List.copyOf(connections.values()).forEach(connection -> connection.check(now));
  }

  /** Has all clients go elsewhere, also those that are still to come. On the event loop. */
  void leave() {
    if (leaving) {
      return; // Another server of the same event loop has said it.
    }
    leaving = true;
    List.copyOf(connections.values()).forEach(Limited::leave);
  }

  /** Whether there is none. On the event loop. */
  boolean isEmpty() {
    return connections.isEmpty();
  }

  /** A connection that may be over its time. */
  interface Limited {
    /** Closes it where it is. */
    void check(long nowNanos);

    /** Ends it as soon as its client has no part in it. */
    void leave();
  }
}
