package dev.slipway.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds a port of the loopback address that nobody listens on. */
final class FreePort {
  private FreePort() {}

  /** {@code preferred}, or the next free one above it. */
  static int from(int preferred) {
    for (int port = preferred; port < preferred + 1000; port++) {
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        // the next one
      }
    }
    throw new CommandException("no port from " + preferred + " on is free");
  }
}
