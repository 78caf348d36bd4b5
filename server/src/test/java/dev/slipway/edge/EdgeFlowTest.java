package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.internal.PlatformDependent;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Large bodies: whoever is slow holds the other side up, and nothing piles up between them. */
class EdgeFlowTest {
  private static final long TOTAL_BYTES = 200L << 20;
  private static final int CHUNK_BYTES = 64 << 10;

  /** Kernel buffers of four sockets, and what Vert.x holds of each. */
  private static final long MOST_BETWEEN = 32L << 20;

  private final TestEdge edge = new TestEdge();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong received = new AtomicLong();

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void aClientThatDoesNotReadHoldsTheAppUp() {
    edge.route(SHOP, edge.upstream(this::sendAll));
    RawClient client = edge.client().send("GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n");
    client.head();
    long memory = PlatformDependent.usedDirectMemory();
    assertThat(memory).as("direct memory is counted").isPositive();

    assertThat(settled(sent::get)).isBetween(1L, MOST_BETWEEN);

    for (long read = 0; read < TOTAL_BYTES; read += CHUNK_BYTES) {
      assertThat(client.read(CHUNK_BYTES)).hasSize(CHUNK_BYTES);
      assertThat(PlatformDependent.usedDirectMemory() - memory).isLessThan(MOST_BETWEEN);
    }
    assertThat(sent).hasValue(TOTAL_BYTES);
  }

  @Test
  void anAppThatDoesNotReadHoldsTheClientUp() {
    CompletableFuture<HttpServerRequest> upload = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.upstream(request -> {
          request.pause();
          request.handler(buffer -> received.addAndGet(buffer.length()));
          request.endHandler(_ -> request.response().end("got " + received));
          upload.complete(request);
        }));
    RawClient client =
        edge.client()
            .send(
                "POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: %d\r\n\r\n"
                    .formatted(TOTAL_BYTES));
    long memory = PlatformDependent.usedDirectMemory();
    assertThat(memory).as("direct memory is counted").isPositive();
    Thread sender = Thread.startVirtualThread(() -> upload(client));

    HttpServerRequest request = TestEdge.get(upload);
    assertThat(settled(sent::get)).isBetween(1L, MOST_BETWEEN);
    assertThat(PlatformDependent.usedDirectMemory() - memory).isLessThan(MOST_BETWEEN);
    request.resume();

    assertThat(client.answer().body()).isEqualTo("got " + TOTAL_BYTES);
    assertThat(sender.isAlive() && sent.get() < TOTAL_BYTES).isFalse();
  }

  private void sendAll(HttpServerRequest request) {
    request.response().putHeader("content-length", Long.toString(TOTAL_BYTES));
    pump(request, Buffer.buffer(new byte[CHUNK_BYTES]));
  }

  private void pump(HttpServerRequest request, Buffer chunk) {
    while (sent.get() < TOTAL_BYTES) {
      if (request.response().writeQueueFull()) {
        request.response().drainHandler(_ -> pump(request, chunk));
        return;
      }
      sent.addAndGet(CHUNK_BYTES);
      request.response().write(chunk);
    }
    request.response().end();
  }

  private void upload(RawClient client) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      while (sent.get() < TOTAL_BYTES) {
        client.send(chunk);
        sent.addAndGet(CHUNK_BYTES);
      }
    } catch (UncheckedIOException e) {
      // The test has failed before and closed the connection.
    }
  }

  /** The value once it has not changed for a while. */
  private static long settled(LongSupplier value) {
    long deadline = System.nanoTime() + TestEdge.LIMIT.toNanos();
    long last = value.getAsLong();
    long since = System.nanoTime();
    while (last == 0 || System.nanoTime() - since < TimeUnit.MILLISECONDS.toNanos(500)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it keeps changing: " + last);
      }
      long now = value.getAsLong();
      if (now != last) {
        last = now;
        since = System.nanoTime();
      }
    }
    return last;
  }
}
