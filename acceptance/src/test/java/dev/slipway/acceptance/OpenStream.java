package dev.slipway.acceptance;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** An answer that goes on until somebody ends it: an event stream or a WebSocket, read as bytes. */
final class OpenStream implements AutoCloseable {
  private final Socket socket;
  private final AtomicLong bytes = new AtomicLong();
  private final CompletableFuture<Instant> ended = new CompletableFuture<>();

  private OpenStream(URI server, String request, String expected) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    InputStream in = new BufferedInputStream(socket.getInputStream());
    byte[] head = in.readNBytes(expected.length());
    String begun = new String(head, StandardCharsets.US_ASCII);
    if (!begun.equals(expected)) {
      socket.close();
      throw new AssertionError("expected " + expected + ", was answered " + begun);
    }
    Thread.ofVirtual().start(() -> read(in));
  }

  static OpenStream events(App app) throws IOException {
    return new OpenStream(
        app.slipway().address(),
        "GET /events HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n\r\n"
            .formatted(app.host()),
        "HTTP/1.1 200");
  }

  static OpenStream webSocket(App app) throws IOException {
    return new OpenStream(
        app.slipway().address(),
        "GET / HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            .formatted(app.host()),
        "HTTP/1.1 101");
  }

  private void read(InputStream in) {
    try {
      byte[] buffer = new byte[8192];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes.addAndGet(n);
      }
    } catch (IOException tornDown) {
      // an end as good as any
    }
    ended.complete(Instant.now());
  }

  /** Returns when it has said something new. */
  void awaitMore() {
    long before = bytes.get();
    Wait.until("the stream says something", Duration.ofSeconds(5), () -> bytes.get() > before);
  }

  /** When it ended. */
  Instant awaitEnd(Duration limit) {
    try {
      return ended.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new AssertionError("the stream is still open", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
