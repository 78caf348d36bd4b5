package dev.slipway.webhook;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An endpoint that takes connections and writes what is no proper answer, or none at all. */
final class RawReceiver implements AutoCloseable {
  private final ServerSocket server;
  private final Script script;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /** What is written to each connection; it is closed afterwards. */
  interface Script {
    void write(OutputStream out) throws IOException, InterruptedException;
  }

  RawReceiver(Script script) {
    this.script = script;
    try {
      this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** Writes that text and closes. */
  static RawReceiver writing(String text) {
    return new RawReceiver(out -> out.write(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> answer(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void answer(Socket socket) {
    try (socket) {
      byte[] some = new byte[1 << 16];
      if (socket.getInputStream().read(some) > 0) {
        script.write(socket.getOutputStream());
        socket.getOutputStream().flush();
      }
    } catch (IOException gone) {
      // The other side has had enough, as it may.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  String url() {
    return "http://127.0.0.1:%d/".formatted(server.getLocalPort());
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
