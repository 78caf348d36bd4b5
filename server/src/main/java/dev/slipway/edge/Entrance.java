package dev.slipway.edge;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.AttributeKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Where all connections to the edge come in: counted when they are accepted, before TLS and before
 * their first byte, and handed to the {@link ConnectionLimits} of their event loop. Those that are
 * too many get a reset. Thread-safe.
 */
final class Entrance {
  private static final AttributeKey<Boolean> GUARDED = AttributeKey.valueOf("slipway.guarded");

  private final AtomicInteger open = new AtomicInteger();
  private final Map<EventLoop, ConnectionLimits> loops = new ConcurrentHashMap<>();
  private final ClientLimits limits;
  private final AddressCounts connections;
  private final AddressCounts requests;
  private final Refusals refusals;
  private final Predicate<InetAddress> trusted;

  /**
   * @param trusted whose connections are not counted by address
   */
  Entrance(ClientLimits limits, Refusals refusals, Predicate<InetAddress> trusted) {
    this.limits = limits;
    this.connections = new AddressCounts(limits.perAddress());
    this.requests = new AddressCounts(limits.perAddress());
    this.refusals = refusals;
    this.trusted = trusted;
  }

  /** What watches the connections of an event loop, which several servers may share. */
  ConnectionLimits limits(EventLoop loop) {
    return loops.computeIfAbsent(loop, _ -> new ConnectionLimits(limits, this, requests, refusals));
  }

  /** Whose connections are counted, if this one's are. */
  Optional<InetAddress> counted(Channel connection) {
    return connection.remoteAddress() instanceof InetSocketAddress client
        ? Optional.of(client.getAddress()).filter(trusted.negate())
        : Optional.empty();
  }

  /**
   * Stands at a port from when the result is there; each event loop may ask for it.
   *
   * @param choice whether a connection says with its first bytes what it speaks
   */
  Future<Void> guard(Channel port, boolean choice) {
    Promise<Void> standing = Promise.promise();
    port.eventLoop()
        .execute(() -> {
          if (port.attr(GUARDED).compareAndSet(null, true)) {
            port.pipeline().addFirst(guard(choice));
          }
          standing.complete();
        });
    return standing.future();
  }

  private ChannelInboundHandlerAdapter guard(boolean choice) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object connection) {
        if (admit((Channel) connection, choice)) {
          context.fireChannelRead(connection);
        }
      }
    };
  }

  /** Something of a connection was refused. */
  void refused(Refusal why, Channel connection) {
    refusals.add(why, connection.remoteAddress());
  }

  private boolean admit(Channel connection, boolean choice) {
    Optional<InetAddress> client = counted(connection);
    if (open.incrementAndGet() > limits.all()) {
      open.decrementAndGet();
      refuse(connection, Refusal.TOO_MANY_AT_ALL);
      return false;
    }
    if (client.isPresent() && !connections.take(client.get())) {
      open.decrementAndGet();
      refuse(connection, Refusal.TOO_MANY);
      return false;
    }
    connection.pipeline().addFirst(new Arrival(client, choice));
    return true;
  }

  private void refuse(Channel connection, Refusal why) {
    refusals.add(why, connection.remoteAddress());
    connection.config().setOption(ChannelOption.SO_LINGER, 0);
    connection.unsafe().closeForcibly();
  }

  /** On the event loop that the connection belongs to from now on. */
  private final class Arrival extends ChannelInitializer<Channel> {
    private final Optional<InetAddress> client;
    private final boolean choice;

    Arrival(Optional<InetAddress> client, boolean choice) {
      this.client = client;
      this.choice = choice;
    }

    @Override
    protected void initChannel(Channel connection) {
      if (choice) {
        connection.pipeline().addFirst(new ProtocolChoice());
      }
      limits(connection.eventLoop()).arrived(connection);
      var _ =
          connection
              .closeFuture()
              .addListener(_ -> {
                open.decrementAndGet();
                client.ifPresent(connections::letGo);
              });
    }
  }
}
