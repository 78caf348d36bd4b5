package dev.slipway.edge;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How one edge process takes over from another, at a socket file:
 *
 * <pre>
 *   the new one                            the old one
 *   connects                            ─▶
 *                                       ◀─ two descriptors ({@link ListeningSockets})
 *   listens at them as well; a byte     ─▶
 *                                          stops listening, and writing its files
 *                                       ◀─ closes the connection
 *   offers to be taken over itself         its last clients end, then it does
 * </pre>
 *
 * <p>Until the byte either may fail or be killed, and the other one serves; from then on it is the
 * new one's alone to serve, for which nothing is left that can fail.
 */
public final class Handover implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Handover.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int DESCRIPTORS = 2;

  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, Thread.ofPlatform().daemon().name("handover").factory(), EpollIoHandler.newFactory());
  private final Path socket;
  private final Duration patience;

  public Handover(EdgeFolder folder) {
    this(folder, PATIENCE);
  }

  /**
   * @param patience with another process that is there but says nothing
   */
  Handover(EdgeFolder folder, Duration patience) {
    this.socket = folder.handover();
    this.patience = patience;
  }

  /**
   * Opens the edge's ports, or takes them over from the process that serves there, and lets another
   * one take over from this, once. All that can fail does so while the other one serves.
   *
   * @param relieved called, on a thread of its own, when another has taken over; the sockets have
   *     been stopped by then
   * @throws IllegalStateException with a sentence for the operator where neither can be
   */
  public void start(
      EdgeServer edge, ListeningSockets sockets, EdgeOptions options, Runnable relieved)
      throws IOException {
    Optional<Predecessor> predecessor = find();
    predecessor.ifPresent(it -> sockets.inherit(it.descriptors, options));
    edge.start();
    Path fresh = offer(sockets, relieved);
    predecessor.ifPresent(Predecessor::relieve);
    try {
      // In place of the predecessor's, in one step.
      Files.move(
          fresh, socket, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      log.error("no other process will be able to take over from this one", e);
    }
  }

  /** The process that serves. */
  private final class Predecessor {
    private final Channel channel;
    private final List<FileDescriptor> descriptors;

    private Predecessor(Channel channel, List<FileDescriptor> descriptors) {
      this.channel = channel;
      this.descriptors = descriptors;
    }

    /** Tells it that we serve; returns when it takes no further connection, or after a while. */
    void relieve() {
      var _ = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1}));
      if (!channel.closeFuture().awaitUninterruptibly(patience.toMillis())) {
        log.warn("the process before this one still listens, beside this one");
      }
    }
  }

  /**
   * The process that serves now, if there is one.
   *
   * @throws IllegalStateException with a sentence for the operator where it does not answer
   */
  private Optional<Predecessor> find() {
    BlockingQueue<Optional<FileDescriptor>> received = new ArrayBlockingQueue<>(DESCRIPTORS + 1);
    ChannelFuture connected =
        new Bootstrap()
            .group(loop)
            .channel(EpollDomainSocketChannel.class)
            .option(
                UnixChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS)
            .handler(new Receiver(received))
            .connect(new DomainSocketAddress(socket.toFile()))
            .awaitUninterruptibly();
    if (!connected.isSuccess()) {
      return Optional.empty(); // none, or one that was killed
    }
    Optional<FileDescriptor> plain = next(received);
    Optional<FileDescriptor> secure = plain.isEmpty() ? plain : next(received);
    return secure.map(it -> new Predecessor(connected.channel(), List.of(plain.orElseThrow(), it)));
  }

  /** Empty where it was just ending. */
  private Optional<FileDescriptor> next(BlockingQueue<Optional<FileDescriptor>> received) {
    try {
      Optional<FileDescriptor> next = received.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (next == null) {
        throw silent();
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private IllegalStateException silent() {
    return new IllegalStateException(
        "the edge process that listens at %s does not answer: end it (kill -9), then start this one again"
            .formatted(socket));
  }

  /** Where this one can be taken over from; nobody looks there yet. */
  private Path offer(ListeningSockets sockets, Runnable relieved) throws IOException {
    Path fresh = socket.resolveSibling(socket.getFileName() + "." + ProcessHandle.current().pid());
    Files.deleteIfExists(fresh);
    new ServerBootstrap()
        .group(loop)
        .channel(EpollServerDomainSocketChannel.class)
        .childHandler(new Giver(sockets, relieved))
        .bind(new DomainSocketAddress(fresh.toFile()))
        .syncUninterruptibly();
    return fresh;
  }

  @Override
  public void close() {
    var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  private static final class Receiver extends ChannelInboundHandlerAdapter {
    private final BlockingQueue<Optional<FileDescriptor>> received;

    Receiver(BlockingQueue<Optional<FileDescriptor>> received) {
      this.received = received;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof FileDescriptor descriptor) {
        var _ = received.offer(Optional.of(descriptor));
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      var _ = received.offer(Optional.empty());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close();
    }
  }

  @Sharable
  private static final class Giver extends ChannelInboundHandlerAdapter {
    // One at a time; all on the loop's one thread.
    private Optional<ChannelHandlerContext> taker = Optional.empty();
    private final ListeningSockets sockets;
    private final Runnable relieved;

    Giver(ListeningSockets sockets, Runnable relieved) {
      this.sockets = sockets;
      this.relieved = relieved;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      List<FileDescriptor> descriptors = sockets.descriptors();
      if (taker.isPresent() || descriptors.isEmpty()) {
        var _ = context.close();
        return;
      }
      taker = Optional.of(context);
      for (FileDescriptor descriptor : descriptors) {
        var _ = context.write(descriptor);
      }
      context.flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      taker = taker.filter(it -> !it.equals(context));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
      Thread.ofPlatform()
          .name("relieved")
          .start(() -> {
            try {
              sockets.stop();
              relieved.run();
            } finally {
              var _ = context.close();
            }
          });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close();
    }
  }
}
