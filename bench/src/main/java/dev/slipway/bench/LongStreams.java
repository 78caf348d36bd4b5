package dev.slipway.bench;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Visitors that stay, of {@link StreamingApp}: each is there until it is sent away, and then comes
 * again. It counts what it hears, so that nothing is lost, doubled or of another release unseen.
 */
final class LongStreams {

  private final int port;
  private final String host;
  private final Duration grace;
  private final LongAdder heard = new LongAdder();
  private final LongAdder streams = new LongAdder();
  private final Faults faults = new Faults();
  private final ConcurrentLinkedQueue<Socket> open = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  /**
   * @param grace that one has from the moment its release is replaced
   */
  LongStreams(int port, String host, Duration grace) {
    this.port = port;
    this.host = host;
    this.grace = grace;
  }

  /**
   * @param failed broken off before their grace was over, or told the wrong thing
   */
  record Report(long streams, long heard, long failed, List<String> firstFaults) {}

  private interface Stream {
    void hear(Socket socket) throws IOException;
  }

  void startEvents(int count) {
    start("events", count, this::hearEvents);
  }

  void startWebSockets(int count) {
    start("websocket", count, this::hearEchoes);
  }

  Report end() throws IOException, InterruptedException {
    ended = true;
    for (Socket socket : open) {
      socket.close();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return new Report(streams.sum(), heard.sum(), faults.count(), faults.first());
  }

  private void start(String name, int count, Stream stream) {
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofVirtual().name(name + "-" + i).start(() -> stay(name, stream)));
    }
  }

  private void stay(String name, Stream stream) {
    while (!ended) {
      long begun = System.nanoTime();
      streams.increment();
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        open.add(socket);
        stream.hear(socket);
      } catch (IOException e) {
        Duration lasted = Duration.ofNanos(System.nanoTime() - begun);
        // It may have begun right before its release was replaced, never after.
        if (!ended && lasted.compareTo(grace) < 0) {
          faults.add("%s ended after %d ms: %s".formatted(name, lasted.toMillis(), e.getMessage()));
        }
      }
    }
  }

  private void hearEvents(Socket socket) throws IOException {
    ask(socket, "GET /events HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    Order order = new Order();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("data: ")) {
        order.accept(line.substring("data: ".length()));
      }
    }
    throw new EOFException("closed");
  }

  private void hearEchoes(Socket socket) throws IOException {
    ask(
        socket,
        "GET /echo HTTP/1.1\r\nHost: "
            + host
            + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c2xpcHdheSBiZW5jaCAwMQ==\r\n\r\n");
    DataInputStream in = new DataInputStream(socket.getInputStream());
    String head = head(in);
    if (!head.startsWith("HTTP/1.1 101")) {
      faults.add("websocket: " + head.lines().findFirst().orElse("no answer"));
      throw new IOException("no WebSocket");
    }
    Order order = new Order();
    for (int i = 0; ; i++) {
      socket.getOutputStream().write(frame(Integer.toString(i)));
      int first = in.readUnsignedByte();
      byte[] text = in.readNBytes(in.readUnsignedByte());
      if (first != 0x81) {
        throw new IOException("not a frame of text: " + first);
      }
      order.accept(new String(text, StandardCharsets.UTF_8));
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Texts are the mark of a release and a number: one mark, and each number once. */
  private final class Order {
    private String mark = "";
    private int next;

    void accept(String text) {
      heard.increment();
      int space = text.lastIndexOf(' ');
      String of = text.substring(0, space);
      if (next > 0 && !of.equals(mark)) {
        faults.add("one stream of %s went on with %s".formatted(mark, of));
      }
      mark = of;
      if (Integer.parseInt(text.substring(space + 1)) != next) {
        faults.add("%s came after %d".formatted(text, next - 1));
      }
      next++;
    }
  }

  private static void ask(Socket socket, String request) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(request.getBytes(StandardCharsets.US_ASCII));
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("closed before the answer");
      }
      head.write(next);
    }
    return head.toString(StandardCharsets.US_ASCII);
  }

  /** Of a client: masked, here by zeros, which leave the text as it is. */
  private static byte[] frame(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(0x81);
    frame.write(0x80 | bytes.length);
    frame.writeBytes(new byte[4]);
    frame.writeBytes(bytes);
    return frame.toByteArray();
  }
}
