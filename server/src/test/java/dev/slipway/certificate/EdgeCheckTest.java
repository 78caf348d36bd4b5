package dev.slipway.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EdgeCheckTest {
  @Test
  void itWaitsUntilTheEdgeHasTheAnswer() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    HttpServer edge =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    edge.createContext(
        "/.well-known/acme-challenge/token",
        exchange -> {
          byte[] body =
              (asked.incrementAndGet() < 3 ? "not yet" : "answer")
                  .getBytes(StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    edge.start();
    try {
      URI address = URI.create("http://127.0.0.1:" + edge.getAddress().getPort());
      new EdgeCheck(address, Duration.ofSeconds(60)).await("token", "answer");
      assertThat(asked).hasValue(3);
    } finally {
      edge.stop(0);
    }
  }

  @Test
  void anEdgeThatIsNotThereKeepsNobodyForLong() throws Exception {
    URI nobody = URI.create("http://127.0.0.1:1");

    new EdgeCheck(nobody, Duration.ofMillis(100)).await("token", "answer");

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
