package dev.slipway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One end of a connection, byte by byte. Blocks; a read that gets nothing fails in the end. */
final class RawClient implements AutoCloseable {
  /**
   * @param headers by name in lower case, in the order of their lines
   */
  record Answer(int status, String statusLine, Map<String, List<String>> headers, String body) {
    /** The only value of a header, or the empty string. */
    String header(String name) {
      return String.join(" | ", headers.getOrDefault(name, List.of()));
    }
  }

  private final Socket socket;
  private final InputStream in;

  RawClient(int port) {
    this(connect(port));
  }

  RawClient(Socket socket) {
    this.socket = socket;
    try {
      socket.setSoTimeout(Math.toIntExact(TestEdge.LIMIT.toMillis()));
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Socket connect(int port) {
    try {
      return new Socket(InetAddress.getLoopbackAddress(), port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RawClient send(String text) {
    return send(text.getBytes(ISO_8859_1));
  }

  /** Sends text whose lines end as HTTP wants them. */
  RawClient sendLines(String lines) {
    return send(lines.replace("\n", "\r\n"));
  }

  RawClient send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A request or status line and its headers, up to the empty line. */
  String head() {
    StringBuilder head = new StringBuilder();
    for (String line = line(); !line.isEmpty(); line = line()) {
      head.append(line).append("\r\n");
    }
    return head.toString();
  }

  String line() {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = read(); next != '\n'; next = read()) {
      if (next < 0) {
        throw new UncheckedIOException(new EOFException("after: " + line.toString(ISO_8859_1)));
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(ISO_8859_1);
  }

  /** The next byte, -1 at the end. */
  int read() {
    try {
      return in.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String read(int length) {
    try {
      byte[] bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw new EOFException("after: " + new String(bytes, ISO_8859_1));
      }
      return new String(bytes, ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Answer answer() {
    return answer(false);
  }

  /** A whole answer. Fails where the connection ends before its end. */
  Answer answer(boolean toHead) {
    String head = head();
    String statusLine = head.lines().findFirst().orElseThrow();
    Map<String, List<String>> headers = headers(head);
    int status = Integer.parseInt(statusLine.split(" ", -1)[1]);
    boolean bodyless = toHead || status < 200 || status == 204 || status == 304;
    return new Answer(status, statusLine, headers, bodyless ? "" : body(headers));
  }

  static Map<String, List<String>> headers(String head) {
    Map<String, List<String>> headers = new TreeMap<>();
    head.lines()
        .skip(1)
        .forEach(line -> {
          int colon = line.indexOf(':');
          headers.merge(
              line.substring(0, colon).toLowerCase(Locale.ROOT),
              List.of(line.substring(colon + 1).strip()),
              (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
        });
    return headers;
  }

  private String body(Map<String, List<String>> headers) {
    if (headers.containsKey("content-length")) {
      return read(Integer.parseInt(headers.get("content-length").getFirst()));
    }
    if (headers.containsKey("transfer-encoding")) {
      StringBuilder body = new StringBuilder();
      for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
        body.append(chunk);
      }
      head(); // The trailers, which most tests do not ask for.
      return body.toString();
    }
    try {
      return new String(in.readAllBytes(), ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One chunk; the last one is empty and leaves the trailers to be read. */
  String chunk() {
    int length = Integer.parseInt(line(), 16);
    if (length == 0) {
      return "";
    }
    String chunk = read(length);
    line();
    return chunk;
  }

  /** Whether the other side ends the connection, in whatever way, before it says more. */
  boolean ends() {
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Ends the connection with a reset instead of an orderly end. */
  void reset() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
