package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An instance that takes connections and answers nothing. */
class EdgeSilenceTest {
  private static final String GET = " HTTP/1.1\r\nHost: shop.localhost\r\n\r\n";

  private final TestEdge edge =
      new TestEdge(options -> options.withAnswerPatience(Duration.ofMillis(200)));

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void itIsPassedOverWhileOthersAnswerUntilItAnswersAgain() {
    AtomicBoolean hung = new AtomicBoolean(true);
    AtomicInteger pings = new AtomicInteger();
    Target silent =
        edge.upstream(request -> {
          if (request.method().equals(HttpMethod.OPTIONS)) {
            pings.incrementAndGet();
          }
          if (!hung.get()) {
            request.response().end("awake");
          }
        });
    Target other = edge.upstream(EdgeSilenceTest::beginAnswer);
    edge.route(SHOP, silent, other);
    // They take turns: three wait at the silent one, and the other begins three answers.
    for (int i = 1; i <= 6; i++) {
      int underWay = i;
      edge.client().send("GET /" + GET);
      TestEdge.eventually(
          "it is under way",
          () ->
              edge.edge.inFlight(silent.instance()) + edge.edge.inFlight(other.instance())
                  == underWay);
    }
    assertThat(edge.edge.inFlight(silent.instance())).isEqualTo(3);

    // By three event loops at most, so that one of them has had no answer to its first.
    TestEdge.eventually("it is asked in vain", () -> pings.get() > 3);

    for (int i = 0; i < 5; i++) {
      assertThat(edge.client().send("GET /" + GET).head()).startsWith("HTTP/1.1 200");
    }
    assertThat(edge.edge.inFlight(silent.instance())).isEqualTo(3);

    hung.set(false);

    TestEdge.eventually("it answers visitors again", this::isAnsweredByWhatWasSilent);
  }

  private boolean isAnsweredByWhatWasSilent() {
    try (RawClient client = edge.client()) {
      return client.send("GET /" + GET).head().contains("content-length: 5");
    }
  }

  @Test
  void aSlowPageDoesNotMakeAnInstanceSilent() {
    AtomicInteger pings = new AtomicInteger();
    CompletableFuture<Void> slow = new CompletableFuture<>();
    Target first =
        edge.upstream(request -> {
          if (request.method().equals(HttpMethod.OPTIONS)) {
            pings.incrementAndGet();
            request.response().end();
          } else if (request.uri().equals("/slow")) {
            var _ = slow.thenRun(() -> request.response().end("slow"));
          } else {
            request.response().end("first");
          }
        });
    Target other = edge.upstream(EdgeSilenceTest::beginAnswer);
    edge.route(SHOP, first, other);
    // Two to each: what waits at the first is a slow page.
    for (int i = 1; i <= 4; i++) {
      int underWay = i;
      edge.client().send("GET /slow" + GET);
      TestEdge.eventually(
          "it is under way",
          () ->
              edge.edge.inFlight(first.instance()) + edge.edge.inFlight(other.instance())
                  == underWay);
    }
    TestEdge.eventually("it is asked whether it answers", () -> pings.get() > 0);
    edge.client().send("GET /slow" + GET);
    edge.client().send("GET /slow" + GET);

    // With as much under way at each it takes its turn.
    TestEdge.eventually(
        "both have three",
        () ->
            edge.edge.inFlight(first.instance()) == 3 && edge.edge.inFlight(other.instance()) == 3);
    slow.complete(null);
  }

  private static void beginAnswer(HttpServerRequest request) {
    request.response().setChunked(true).writeHead();
  }
}
