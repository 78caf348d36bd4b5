package dev.slipway.db;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/**
 * Finds a port that nobody listens on at 127.0.0.1.
 *
 * <p>Ranges lie between the ports leased to applications (runtime.ports) and those that Linux gives
 * to outgoing connections: a restart finds its port still free.
 */
record LoopbackPort(int first, int last) {
  private static final int ATTEMPTS = 50;

  int choose() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = RandomGenerator.getDefault().nextInt(first, last + 1);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port between %d and %d for PostgreSQL".formatted(first, last));
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
