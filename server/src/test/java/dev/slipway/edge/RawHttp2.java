package dev.slipway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A client of HTTP/2 frame by frame, for what no HTTP client would do. Blocks. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int ACK = 1;

  static final int PROTOCOL_ERROR = 1;
  static final int REFUSED_STREAM = 7;
  static final int CANCEL = 8;
  static final int ENHANCE_YOUR_CALM = 11;

  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int WITH_PRIORITY = 0x20;
  private static final int PRIORITY_BYTES = 5;

  /**
   * @param payload a character for each byte
   * @param head what a head holds
   */
  record Frame(int type, int flags, int stream, String payload, Http2Headers head) {
    byte[] bytes() {
      return payload.getBytes(ISO_8859_1);
    }

    boolean ends() {
      return (flags & END_STREAM) != 0;
    }

    /** Of a reset or the end of the connection. */
    int error() {
      return ByteBuffer.wrap(bytes()).getInt(type == GOAWAY ? 4 : 0);
    }
  }

  /**
   * One answer.
   *
   * @param reset the error that it was broken off with; negative: it was not
   */
  record Answer(List<Http2Headers> heads, String body, int reset) {
    int status() {
      return Integer.parseInt(heads.getFirst().status().toString());
    }

    String header(String name) {
      return String.valueOf(heads.getFirst().get(name));
    }

    String trailer(String name) {
      return heads.size() < 2 ? "" : String.valueOf(heads.getLast().get(name));
    }
  }

  private final RawClient client;
  private final DefaultHttp2HeadersEncoder encoder =
      new DefaultHttp2HeadersEncoder((_, _) -> false, true, 16, Integer.MAX_VALUE);
  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
  private final List<Frame> kept = new ArrayList<>();

  /**
   * @param client a connection on which nothing has been sent
   * @param window what the other side may send of each answer before we ask for more
   */
  RawHttp2(RawClient client, int window) {
    this.client = client;
    client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    frame(
        SETTINGS,
        0,
        0,
        ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(window).array());
  }

  RawHttp2(RawClient client) {
    this(client, 65_535);
  }

  /** With TLS. */
  static RawClient secured(TestEdge edge, TestAuthority authority, String host) {
    try {
      SSLSocket socket =
          (SSLSocket)
              authority
                  .trust()
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), edge.edge.securePort());
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(host)));
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      return new RawClient(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RawHttp2 frame(int type, int flags, int stream, byte[] payload) {
    client.send(
        ByteBuffer.allocate(9 + payload.length)
            .put((byte) (payload.length >> 16))
            .putShort((short) payload.length)
            .put((byte) type)
            .put((byte) flags)
            .putInt(stream)
            .put(payload)
            .array());
    return this;
  }

  /** A head, or trailers: names and values in turn. */
  RawHttp2 headers(int stream, boolean end, String... pairs) {
    return frame(HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, block(stream, pairs));
  }

  byte[] block(int stream, String... pairs) {
    Http2Headers headers = new DefaultHttp2Headers(false);
    for (int i = 0; i < pairs.length; i += 2) {
      headers.add(pairs[i], pairs[i + 1]);
    }
    ByteBuf block = Unpooled.buffer();
    try {
      encoder.encodeHeaders(stream, headers, block);
    } catch (Http2Exception e) {
      throw new IllegalArgumentException(e);
    }
    return ByteBufUtil.getBytes(block);
  }

  /** The head of a request without a body, or with one that is to follow. */
  RawHttp2 request(int stream, boolean end, String method, String path, String... more) {
    return requestTo(TestEdge.SHOP, stream, end, method, path, more);
  }

  RawHttp2 requestTo(
      String host, int stream, boolean end, String method, String path, String... more) {
    List<String> pairs =
        new ArrayList<>(
            List.of(":method", method, ":scheme", "http", ":authority", host, ":path", path));
    pairs.addAll(List.of(more));
    return headers(stream, end, pairs.toArray(String[]::new));
  }

  RawHttp2 data(int stream, boolean end, String text) {
    return frame(DATA, end ? END_STREAM : 0, stream, text.getBytes(UTF_8));
  }

  RawHttp2 reset(int stream) {
    return frame(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(CANCEL).array());
  }

  /** The next frame, whatever it is. */
  Frame next() {
    ByteBuffer head = ByteBuffer.wrap(client.read(9).getBytes(ISO_8859_1));
    int length = ((head.getShort() & 0xffff) << 8) | (head.get() & 0xff);
    int type = head.get();
    int flags = head.get();
    int stream = head.getInt();
    String payload = client.read(length);
    return new Frame(
        type,
        flags,
        stream,
        payload,
        type == HEADERS
            ? decoded(stream, flags, payload.getBytes(ISO_8859_1))
            : new DefaultHttp2Headers());
  }

  /**
   * The next frame of the stream, or that of the connection's end. Acknowledges settings, and keeps
   * what belongs to other streams.
   */
  Frame next(int stream) {
    for (Frame frame : kept) {
      if (frame.stream == stream) {
        kept.remove(frame);
        return frame;
      }
    }
    while (true) {
      Frame frame = next();
      if (frame.type == SETTINGS && (frame.flags & ACK) == 0) {
        frame(SETTINGS, ACK, 0, new byte[0]);
      }
      if (frame.type == GOAWAY || (frame.stream == stream && frame.type != WINDOW_UPDATE)) {
        return frame;
      }
      if (frame.type != WINDOW_UPDATE) {
        kept.add(frame);
      }
    }
  }

  /** The answer on this stream, to its end. */
  Answer answer(int stream) {
    List<Http2Headers> heads = new ArrayList<>();
    StringBuilder body = new StringBuilder();
    Frame frame;
    do {
      frame = next(stream);
      switch (frame.type) {
        case HEADERS -> heads.add(frame.head);
        case DATA -> body.append(new String(frame.bytes(), UTF_8));
        default -> {
          return new Answer(heads, body.toString(), frame.error());
        }
      }
    } while (!frame.ends());
    return new Answer(heads, body.toString(), -1);
  }

  private Http2Headers decoded(int stream, int flags, byte[] payload) {
    ByteBuf block = Unpooled.wrappedBuffer(payload);
    block.skipBytes((flags & WITH_PRIORITY) == 0 ? 0 : PRIORITY_BYTES);
    try {
      return decoder.decodeHeaders(stream, block);
    } catch (Http2Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The error with which the other side ends the connection; what it says before is passed over.
   */
  int goneWith() {
    while (true) {
      Frame frame = next();
      if (frame.type == GOAWAY) {
        return frame.error();
      }
    }
  }

  /** Whether the other side ends the connection; what it says before is passed over. */
  boolean ends() {
    while (true) {
      try {
        if (client.read() < 0) {
          return true;
        }
      } catch (UncheckedIOException e) {
        return !(e.getCause() instanceof SocketTimeoutException);
      }
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
