package dev.slipway.api;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One request on a connection of its own, as it is: no client library that mends an address, adds
 * headers or keeps connections stands between a test and the server.
 */
final class RawHttp {
  private static final int TIMEOUT_MILLIS = 30_000;

  private RawHttp() {}

  record Response(int status, MultiMap headers, Buffer bytes) {
    String body() {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }

  /**
   * Sends these bytes on a connection of their own.
   *
   * @return the answer; empty where the server closed the connection without one
   */
  static Optional<Response> send(int port, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      try {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
      } catch (IOException closedEarly) {
        // What it answered before it closed is still to be read.
      }
      return Optional.of(read(new BufferedInputStream(socket.getInputStream()), ""));
    } catch (EOFException | SocketException e) {
      return Optional.empty();
    }
  }

  static Response exchange(
      int port, String method, String uri, MultiMap headers, Optional<byte[]> body)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      StringBuilder head = new StringBuilder();
      head.append("%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n".formatted(method, uri, port));
      headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
      body.ifPresent(bytes -> head.append("Content-Length: " + bytes.length + "\r\n"));
      OutputStream out = socket.getOutputStream();
      out.write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
      out.write(body.orElse(new byte[0]));
      out.flush();
      return read(new BufferedInputStream(socket.getInputStream()), method);
    }
  }

  private static Response read(InputStream in, String method) throws IOException {
    int status = Integer.parseInt(line(in).split(" ", 3)[1]);
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      headers.add(
          line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1).strip());
    }
    byte[] body =
        method.equals("HEAD") || status == 204
            ? new byte[0]
            : headers.contains("Content-Length")
                ? in.readNBytes(Integer.parseInt(headers.get("Content-Length")))
                : chunks(in);
    return new Response(status, headers, Buffer.buffer(body));
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int size = size(in); size > 0; size = size(in)) {
      all.write(in.readNBytes(size));
      line(in);
    }
    return all.toByteArray();
  }

  private static int size(InputStream in) throws IOException {
    return Integer.parseInt(line(in), 16);
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection was closed before the answer was whole");
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }
}
