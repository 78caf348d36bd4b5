package dev.slipway.bench;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One keep-alive connection of the plainest kind, so that a broken answer is seen as it came:
 * nothing is tried again. For one thread.
 */
final class Http implements Closeable {
  private static final int CONNECT_MILLIS = 2_000;

  private final Socket socket = new Socket();
  private final InputStream in;
  private boolean closing;

  Http(int port, Duration timeout) throws IOException {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  record Answer(int status, String body) {}

  Answer get(String host, String path) throws IOException {
    String request = "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(path, host);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    String statusLine = line();
    int length = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring("content-length:".length()).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        throw new IOException("the application is to answer with a length: " + header);
      } else if (lower.equals("connection: close")) {
        closing = true;
      }
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("closed after %d of %d bytes".formatted(body.length, length));
    }
    String status = statusLine.split(" ", 3)[1];
    return new Answer(Integer.parseInt(status), new String(body, StandardCharsets.UTF_8));
  }

  /** The server has said that this was the last answer of the connection. */
  boolean closing() {
    return closing;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("closed in the middle of an answer, or before it");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
