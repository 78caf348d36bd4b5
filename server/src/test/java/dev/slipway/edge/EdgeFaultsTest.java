package dev.slipway.edge;

import static dev.slipway.edge.RawHttp2.WINDOW_UPDATE;
import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EdgeFaultsTest {
  private final TestAuthority authority = new TestAuthority();
  private final TestEdge edge =
      new TestEdge(
          options -> options.withHttps(new HttpsOptions(0, 443, Optional.empty())),
          _ -> {
            throw new IllegalStateException("thrown by a test");
          });

  @BeforeEach
  void secure() {
    edge.edge.secure(new TlsTable(Map.of(SHOP, authority.issue(SHOP)), Optional.empty(), Map.of()));
  }

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void whatThrowsIsAnswered() {
    assertThat(edge.client().send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").answer().status())
        .isEqualTo(500);
    try (RawHttp2 client = client(65_535)) {
      client.requestTo("localhost", 1, true, "GET", "/");
      assertThat(client.answer(1).status()).isEqualTo(500);
    }
  }

  @Test
  void aRequestThatIsGivenUpLeavesTheConnectionThatAnotherHasByThen() {
    CompletableFuture<Void> second = new CompletableFuture<>();
    CompletableFuture<Void> resetSeen = new CompletableFuture<>();
    AtomicInteger connections = new AtomicInteger();
    edge.route(
        SHOP,
        edge.raw(peer -> {
          connections.incrementAndGet();
          peer.head();
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst");
          peer.head();
          second.complete(null);
          TestEdge.get(resetSeen);
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecond");
          peer.ends();
        }));
    try (RawHttp2 client = client(0)) {
      client.request(1, true, "GET", "/first");
      client.next(1); // The head; of the body nothing may be sent.
      client.request(3, true, "GET", "/second");
      TestEdge.get(second);
      client.reset(1);
      client.frame(WINDOW_UPDATE, 0, 3, ByteBuffer.allocate(4).putInt(100).array());
      client.requestTo("localhost", 5, true, "GET", "/");
      assertThat(client.next(5).type()).isEqualTo(RawHttp2.HEADERS); // The reset has been read.
      resetSeen.complete(null);

      assertThat(client.answer(3).body()).isEqualTo("second");
      assertThat(connections).hasValue(1);
    }
  }

  private RawHttp2 client(int window) {
    return new RawHttp2(RawHttp2.secured(edge, authority, SHOP), window);
  }
}
