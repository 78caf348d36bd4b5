package dev.slipway.sandbox;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Passes bytes on between two connections, both ways, until both have said all. */
final class Pump {
  private static final int BYTES = 16 << 10;

  private Pump() {}

  /** Returns when both are closed. */
  static void join(SocketChannel one, SocketChannel other) throws IOException {
    try (one;
        other) {
      Thread back = Thread.startVirtualThread(() -> pass(other, one));
      pass(one, other);
      back.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pass(SocketChannel from, SocketChannel to) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    try {
      while (from.read(bytes) >= 0) {
        bytes.flip();
        while (bytes.hasRemaining()) {
          to.write(bytes);
        }
        bytes.clear();
      }
      to.shutdownOutput();
    } catch (IOException brokenOff) {
      close(from); // which ends the other direction too
      close(to);
    }
  }

  static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing can be done about it, and nothing more will come of it.
    }
  }
}
