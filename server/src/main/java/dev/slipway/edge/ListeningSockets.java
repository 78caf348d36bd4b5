package dev.slipway.edge;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The sockets at which an edge listens: opened, or taken over from another process as they are,
 * with the connections that wait at them. Two processes may have the same one: each connection goes
 * to one of them, and none is lost when one stops. A transport of Vert.x (epoll), for that it makes
 * its servers of these.
 *
 * <p>Thread-safe; for one {@link EdgeServer}.
 */
public final class ListeningSockets implements Transport {
  private final Map<Kind, FileDescriptor> inherited = new EnumMap<>(Kind.class);
  private final Map<Kind, EpollServerSocketChannel> open = new EnumMap<>(Kind.class);
  private final EpollTransport transport = new Servers();

  private enum Kind {
    PLAIN,
    SECURE
  }

  /**
   * Has the next server listen at these where the options want the same address; closes them where
   * not.
   *
   * @param descriptors as {@link #descriptors} has them; this class closes them from now on
   */
  synchronized void inherit(List<FileDescriptor> descriptors, EdgeOptions options) {
    keep(Kind.PLAIN, descriptors.getFirst(), options.host(), Optional.of(options.port()));
    keep(
        Kind.SECURE,
        descriptors.getLast(),
        options.host(),
        options.https().map(HttpsOptions::port));
  }

  private void keep(Kind kind, FileDescriptor descriptor, String host, Optional<Integer> port) {
    if (port.isPresent() && isAt(descriptor, host, port.get())) {
      inherited.put(kind, descriptor);
      return;
    }
    try {
      descriptor.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isAt(FileDescriptor descriptor, String host, int port) {
    InetSocketAddress at = new Socket(descriptor.intValue()).localAddress();
    try {
      InetAddress wanted = InetAddress.getByName(host);
      return at.getPort() == port
          && (at.getAddress().equals(wanted)
              || (at.getAddress().isAnyLocalAddress() && wanted.isAnyLocalAddress()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Two: the plain one, and that with TLS; where there is none the plain one again. None once it
   * has been stopped: their numbers may be others' by then.
   */
  synchronized List<FileDescriptor> descriptors() {
    return Stream.of(Kind.PLAIN, Kind.SECURE)
        .flatMap(kind -> Stream.of(kind, Kind.PLAIN).flatMap(this::opened).limit(1))
        .toList();
  }

  private Stream<FileDescriptor> opened(Kind kind) {
    return Optional.ofNullable(open.get(kind)).map(EpollServerSocketChannel::fd).stream();
  }

  /** Takes no further connection. What waits is left to who else has the socket, if anybody. */
  public synchronized void stop() {
    Collection<EpollServerSocketChannel> all = open.values();
    all.forEach(channel -> channel.config().setAutoRead(false));
    all.forEach(channel -> channel.close().syncUninterruptibly());
    open.clear();
  }

  private synchronized ServerChannel make(Kind kind) {
    FileDescriptor descriptor = inherited.remove(kind);
    EpollServerSocketChannel channel =
        descriptor == null
            ? new EpollServerSocketChannel()
            : new EpollServerSocketChannel(descriptor.intValue());
    if (descriptor != null) {
      channel.config().setAutoRead(false); // until whoever deals with connections is in place
      channel.pipeline().addFirst(new Bound());
    }
    open.put(kind, channel);
    return channel;
  }

  @Override
  public String name() {
    return "epoll";
  }

  @Override
  public boolean available() {
    return transport.isAvailable();
  }

  @Override
  public Throwable unavailabilityCause() {
    return transport.unavailabilityCause();
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return transport;
  }

  /** Of a socket that listens already. */
  private static final class Bound extends ChannelOutboundHandlerAdapter {
    @Override
    public void bind(ChannelHandlerContext context, SocketAddress local, ChannelPromise promise) {
      promise.setSuccess();
      context.channel().config().setAutoRead(true);
    }
  }

  private final class Servers extends EpollTransport {
    // Vert.x configures a server and asks for its channel in one go.
    private final ThreadLocal<Kind> next = ThreadLocal.withInitial(() -> Kind.PLAIN);

    @Override
    public void configure(
        NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
      next.set(options.isSsl() ? Kind.SECURE : Kind.PLAIN);
      super.configure(options, domainSocket, bootstrap);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      if (domainSocket) {
        return super.serverChannelFactory(true);
      }
      Kind kind = next.get();
      return () -> make(kind);
    }
  }
}
