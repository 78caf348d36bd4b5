package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.edge.RawClient.Answer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deployments under load: a hundred of them, and not one request that notices. */
class EdgeSwapTest {
  private static final int SWAPS = 100;
  private static final int REQUESTS_BETWEEN_SWAPS = 200;

  private final TestEdge edge = new TestEdge();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong answered = new AtomicLong();
  private final Queue<String> lateRequests = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    stop.set(true);
    edge.close();
  }

  @Test
  void aHundredSwapsLoseMixUpOrDelayNothing() throws Exception {
    Release first = new Release(0);
    edge.route(SHOP, first.target);
    List<Future<?>> visitors = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 64; i++) {
        int visitor = i;
        visitors.add(threads.submit(() -> browse(visitor)));
      }
      for (int i = 0; i < 4; i++) {
        visitors.add(threads.submit(this::followEvents));
        visitors.add(threads.submit(this::chat));
      }
      try {
        swap(first, visitors);
      } finally {
        stop.set(true);
      }
    }

    for (Future<?> visitor : visitors) {
      visitor.get();
    }
    assertThat(lateRequests).isEmpty();
    assertThat(answered).hasValueGreaterThan((long) SWAPS * REQUESTS_BETWEEN_SWAPS);
  }

  private void swap(Release first, List<Future<?>> visitors) {
    Release present = first;
    for (int i = 1; i <= SWAPS; i++) {
      long before = answered.get();
      Release next = new Release(i);
      edge.route(SHOP, next.target);
      boolean drained = TestEdge.get(edge.edge.drain(present.target.instance(), TestEdge.LIMIT));
      present.drained.set(true);
      assertThat(drained).isTrue();
      assertThat(edge.edge.inFlight(present.target.instance())).isZero();
      present = next;
      TestEdge.eventually(
          "visitors go on",
          () ->
              answered.get() - before > REQUESTS_BETWEEN_SWAPS
                  || visitors.stream().anyMatch(Future::isDone));
    }
  }

  /** Keeps one connection for ever; every tenth request is slow. */
  private void browse(int visitor) {
    RawClient client = edge.client();
    for (int i = 0; !stop.get(); i++) {
      String path = (i % 10 == 0 ? "/slow/" : "/fast/") + visitor + "/" + i;
      Answer answer =
          client.send("GET " + path + " HTTP/1.1\r\nHost: shop.localhost\r\n\r\n").answer();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).startsWith(path + " from " + answer.header("release") + ".");
      answered.incrementAndGet();
    }
  }

  private void followEvents() {
    RawClient client = edge.client();
    while (!stop.get()) {
      client.send("GET /events HTTP/1.1\r\nHost: shop.localhost\r\n\r\n");
      String release =
          RawClient.headers(client.head()).getOrDefault("release", List.of()).getFirst();
      for (int i = 0; i < 5; i++) {
        assertThat(client.chunk()).isEqualTo("data: %s %d\n\n".formatted(release, i));
      }
      assertThat(client.chunk()).isEmpty();
      client.head();
    }
  }

  private void chat() {
    while (!stop.get()) {
      try (RawClient client = new RawClient(edge.edge.port())) {
        client.sendLines(
            """
            GET /chat HTTP/1.1
            Host: shop.localhost
            Connection: Upgrade
            Upgrade: echo

            """);
        assertThat(client.head()).startsWith("HTTP/1.1 101");
        for (int i = 0; i < 5; i++) {
          assertThat(client.send("ping").read(4)).isEqualTo("ping");
        }
      }
    }
  }

  /** One instance that notices whether it is asked after it was drained. */
  private final class Release {
    final AtomicBoolean drained = new AtomicBoolean();
    final Target target;
    private final int number;

    Release(int number) {
      this.number = number;
      this.target = edge.upstream(this::handle);
    }

    private void handle(HttpServerRequest request) {
      if (drained.get()) {
        lateRequests.add(request.uri() + " at " + number);
      }
      request.response().putHeader("release", "r" + number);
      if (request.uri().equals("/chat")) {
        request.toNetSocket().onSuccess(socket -> socket.handler(socket::write));
      } else if (request.uri().equals("/events")) {
        request.response().setChunked(true);
        event(request, 0);
      } else if (request.uri().startsWith("/slow")) {
        edge.vertx.setTimer(20, _ -> answer(request));
      } else {
        answer(request);
      }
    }

    private void answer(HttpServerRequest request) {
      request.response().end(request.uri() + " from r" + number + "." + "x".repeat(500));
    }

    private void event(HttpServerRequest request, int count) {
      if (count == 5) {
        request.response().end();
        return;
      }
      request.response().write("data: r%d %d\n\n".formatted(number, count));
      edge.vertx.setTimer(2, _ -> event(request, count + 1));
    }
  }
}
