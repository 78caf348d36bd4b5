package dev.slipway.sandbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/**
 * The inner end of {@link Doors}: a program of its own, as one cannot be in two networks. It
 * listens where the doors lead to, tells the outer end which one it is that somebody came to, and
 * passes on what is said. It ends with its standard input, which the server's death closes too.
 *
 * <p>Arguments: the directory of the outer end, then the address and the port of each door.
 */
final class InnerDoors {
  /** Who comes when there are so many waits. */
  private static final int MOST_AT_ONCE = 128;

  private final Path directory;
  private final Semaphore free = new Semaphore(MOST_AT_ONCE);

  private InnerDoors(Path directory) {
    this.directory = directory;
  }

  public static void main(String... arguments) throws IOException {
    InnerDoors doors = new InnerDoors(Path.of(arguments[0]));
    for (int i = 1; i < arguments.length; i += 2) {
      InetSocketAddress place =
          new InetSocketAddress(arguments[i], Integer.parseInt(arguments[i + 1]));
      ServerSocketChannel listening = ServerSocketChannel.open().bind(place);
      int door = i / 2;
      Thread.ofPlatform().daemon().name("door-" + door).start(() -> doors.open(listening, door));
    }
    System.out.write("ready\n".getBytes(StandardCharsets.US_ASCII));
    System.out.flush();
    while (System.in.read() >= 0) {
      // Nothing is said.
    }
    Doors.delete(doors.directory); // where the server was killed
    System.exit(0);
  }

  private void open(ServerSocketChannel listening, int door) {
    while (true) {
      free.acquireUninterruptibly();
      try {
        SocketChannel inside = listening.accept();
        Thread.startVirtualThread(() -> letThrough(inside, door));
      } catch (IOException e) {
        free.release(); // too many files are open, or whoever came is gone: the next may do better
      }
    }
  }

  private void letThrough(SocketChannel inside, int door) {
    try (inside;
        SocketChannel outside = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      outside.connect(UnixDomainSocketAddress.of(Doors.socket(directory)));
      outside.write(ByteBuffer.wrap(new byte[] {(byte) door}));
      Pump.join(inside, outside);
    } catch (IOException e) {
      // Whoever came sees that the connection ends.
    } finally {
      free.release();
    }
  }
}
