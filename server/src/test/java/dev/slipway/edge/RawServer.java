package dev.slipway.edge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Takes connections and lets the test write what it likes. */
final class RawServer implements AutoCloseable {
  /** What happens on one connection; it is closed when this returns. */
  interface Connection {
    void serve(RawClient peer) throws IOException;
  }

  private final ServerSocket listener;
  private final Set<RawClient> peers = ConcurrentHashMap.newKeySet();

  RawServer(Connection connection) {
    try {
      listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.startVirtualThread(() -> accept(connection));
  }

  private void accept(Connection connection) {
    try {
      while (true) {
        Socket socket = listener.accept();
        Thread.startVirtualThread(() -> serve(connection, socket));
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private void serve(Connection connection, Socket socket) {
    try (RawClient peer = new RawClient(socket)) {
      peers.add(peer);
      connection.serve(peer);
    } catch (IOException | UncheckedIOException e) {
      // The edge went away, which is what some tests are about.
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    peers.forEach(RawClient::close);
  }
}
