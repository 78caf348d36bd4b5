package dev.slipway.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Addresses and ports of this host that programs in a network of their own are let through to: they
 * connect to the very same addresses in there, where {@link InnerDoors} listens. See
 * docs/decisions/044-databases-of-deployments.md.
 */
final class Doors implements AutoCloseable {
  private static final int CONNECT_WITHIN_MS = 10_000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final List<InetSocketAddress> places;
  private final Path directory;
  private final ServerSocketChannel listening;
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

  private Doors(List<InetSocketAddress> places, Path directory, ServerSocketChannel listening) {
    this.places = places;
    this.directory = directory;
    this.listening = listening;
  }

  /** The outer end; connections come once the inner one runs. */
  static Doors open(List<InetSocketAddress> places) {
    try {
      // Not below the data directory, whose path may be too long for a socket.
      Path directory = Files.createTempDirectory("slipway-doors-");
      ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      Doors doors = new Doors(List.copyOf(places), directory, listening);
      listening.bind(UnixDomainSocketAddress.of(socket(directory)));
      Thread.ofVirtual().name("doors").start(doors::accept);
      return doors;
    } catch (IOException e) {
      throw new UncheckedIOException("listening on a socket of our own failed", e);
    }
  }

  /** The program that is the inner end. */
  List<String> innerEnd() {
    List<String> argv = new ArrayList<>();
    argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    argv.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    argv.addAll(List.of("-Xmx48m", "-cp", code().toString()));
    argv.addAll(List.of(InnerDoors.class.getName(), directory.toString()));
    for (InetSocketAddress place : places) {
      argv.add(place.getAddress().getHostAddress());
      argv.add(Integer.toString(place.getPort()));
    }
    return argv;
  }

  static Path socket(Path directory) {
    return directory.resolve("outer-end");
  }

  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(socket(directory));
    Files.deleteIfExists(directory);
  }

  private static Path code() {
    try {
      return Path.of(InnerDoors.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the program cannot be found on the disk", e);
    }
  }

  private void accept() {
    while (listening.isOpen()) {
      try {
        SocketChannel inside = listening.accept();
        connections.add(inside);
        Thread.startVirtualThread(() -> letThrough(inside));
      } catch (IOException e) {
        // It is closed, or this server has too many files open.
        Waiting.until(PAUSE, () -> !listening.isOpen());
      }
    }
  }

  private void letThrough(SocketChannel inside) {
    ByteBuffer door = ByteBuffer.allocate(1);
    try (inside;
        SocketChannel outside = SocketChannel.open()) {
      if (inside.read(door) == 1) {
        outside.socket().connect(places.get(door.get(0)), CONNECT_WITHIN_MS);
        Pump.join(inside, outside);
      }
    } catch (IOException e) {
      // Whoever came sees that the connection ends.
    } finally {
      connections.remove(inside);
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
      connections.forEach(Pump::close);
      delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("closing " + directory + " failed", e);
    }
  }
}
