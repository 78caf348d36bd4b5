package dev.slipway.db;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;

/** Finds a port that nobody listens on at 127.0.0.1. */
final class LoopbackPort {
  // Between the ports leased to applications (runtime.ports) and those that Linux gives to outgoing
  // connections: a restart finds its port still free.
  private static final int FIRST = 29_000;
  private static final int AFTER_LAST = 32_768;
  private static final int ATTEMPTS = 50;

  private LoopbackPort() {}

  static int choose() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = RandomGenerator.getDefault().nextInt(FIRST, AFTER_LAST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port between %d and %d for PostgreSQL".formatted(FIRST, AFTER_LAST - 1));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
