package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static dev.slipway.edge.TestEdge.deadTarget;
import static dev.slipway.edge.TestEdge.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.edge.RawClient.Answer;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeRetryTest {
  private final TestEdge edge = new TestEdge();

  @AfterEach
  void close() {
    edge.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST"})
  void whereNobodyListensTheOtherInstanceAnswersWhateverTheMethod(String method) {
    edge.route(SHOP, deadTarget(), edge.upstream(echo("other")));

    for (int i = 0; i < 5; i++) {
      assertThat(ask(method).body()).isEqualTo("other:body");
    }
  }

  @Test
  void oneThatRefusedTakesItsTurnAgainWhenItListens() {
    Target late = deadTarget();
    edge.route(SHOP, late, edge.named("other"));
    for (int i = 0; i < 5; i++) {
      assertThat(edge.get("/").body()).isEqualTo("other");
    }

    edge.listen(late, request -> request.response().end("late"));

    eventually("the late one answers", () -> edge.get("/").body().equals("late"));
  }

  @Test
  void aRepeatableRequestThatWasBrokenOffIsAskedOnceElsewhere() {
    AtomicInteger asked = new AtomicInteger();
    edge.route(SHOP, breaking(asked), edge.named("other"));

    for (int i = 0; i < 5; i++) {
      assertThat(edge.get("/").body()).isEqualTo("other");
    }
    assertThat(asked).hasValueGreaterThan(0);
  }

  @Test
  void aRequestIsNotAskedAThirdTime() {
    AtomicInteger asked = new AtomicInteger();
    edge.route(SHOP, breaking(asked), breaking(asked), breaking(asked));

    assertThat(edge.get("/").status()).isEqualTo(502);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aPostThatWasBrokenOffIsNeverAskedTwice() {
    AtomicInteger asked = new AtomicInteger();
    edge.route(SHOP, breaking(asked), breaking(asked));

    Answer answer = ask("POST");

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
    assertThat(asked).hasValue(1);
  }

  @Test
  void anIdleConnectionThatDiedIsNotNoticedByTheClient() {
    // Each connection serves one request, promises to live on and dies at the next one.
    edge.route(
        SHOP,
        edge.raw(peer -> {
          peer.head();
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
          peer.head();
        }));

    for (int i = 0; i < 20; i++) {
      assertThat(edge.get("/").body()).isEqualTo("ok");
    }
  }

  @Test
  void aRequestWaitsForAProgramThatIsStartedAgain() {
    Target dead = deadTarget();
    CompletableFuture<Target> started = new CompletableFuture<>();
    CompletableFuture<Void> asked = new CompletableFuture<>();
    edge.waker(_ -> {
      asked.complete(null);
      return started;
    });
    edge.route(SHOP, dead);
    RawClient client =
        edge.client()
            .send("POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 4\r\n\r\nbody");
    TestEdge.get(asked);

    started.complete(edge.upstream(echo("woken")));

    assertThat(client.answer().body()).isEqualTo("woken:body");
  }

  @Test
  void whatSleepsIsWokenForAllWhoAsk() {
    CompletableFuture<Target> started = new CompletableFuture<>();
    AtomicInteger asked = new AtomicInteger();
    edge.waker(deployment -> {
      assertThat(deployment).isEqualTo(edge.deployment);
      asked.incrementAndGet();
      return started;
    });
    edge.route(SHOP);
    RawClient[] clients = new RawClient[10];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = edge.client().send("GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n");
    }
    eventually("all ask", () -> asked.get() == clients.length);

    started.complete(edge.named("woken"));

    for (RawClient client : clients) {
      assertThat(client.answer().body()).isEqualTo("woken");
    }
  }

  @Test
  void aWakerThatStillNamesTheDeadOneIsAskedAgain() {
    Target dead = deadTarget();
    Target alive = edge.named("alive");
    AtomicInteger asked = new AtomicInteger();
    edge.waker(_ -> CompletableFuture.completedFuture(asked.incrementAndGet() < 3 ? dead : alive));
    edge.route(SHOP, dead);

    assertThat(edge.get("/").body()).isEqualTo("alive");
    assertThat(asked).hasValue(3);
  }

  @Test
  void aWaitThatIsTooLongEndsWithAFriendlyPage() {
    try (TestEdge impatient =
        new TestEdge(options -> options.withWakeLimit(Duration.ofMillis(300)))) {
      impatient.waker(_ -> new CompletableFuture<>());
      impatient.route(SHOP);

      Answer answer = impatient.get("/");

      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.header("retry-after")).isEqualTo("5");
      assertThat(answer.header("cache-control")).isEqualTo("no-store");
    }
  }

  @Test
  void aWakerThatNamesADeadOneForEverEndsWithAFriendlyPage() {
    try (TestEdge impatient =
        new TestEdge(options -> options.withWakeLimit(Duration.ofMillis(300)))) {
      Target dead = deadTarget();
      AtomicInteger asked = new AtomicInteger();
      impatient.waker(_ -> {
        asked.incrementAndGet();
        return CompletableFuture.completedFuture(dead);
      });
      impatient.route(SHOP, dead);

      assertThat(impatient.get("/").status()).isEqualTo(503);
      assertThat(asked).hasValueBetween(1, 4);
    }
  }

  @Test
  void anAppThatCannotBeStartedIsAPageThatNamesNothingInside() {
    edge.waker(_ ->
        CompletableFuture.failedFuture(
            new AppFailure(FailureCode.START_FAILED, "/srv/secret is missing")));
    edge.route(SHOP);

    Answer answer = edge.get("/");

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.body()).isEqualTo("This app could not be started.\n");
  }

  @Test
  void anAppThatCrashesAgainAndAgainIsAPageThatSaysSo() {
    edge.waker(_ -> CompletableFuture.failedFuture(new Waker.Crashing()));
    edge.route(SHOP);

    Answer answer = edge.get("/");

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.body()).startsWith("This app crashed several times and is not running.");
  }

  @Test
  void aWakerThatThrowsIsAPageToo() {
    edge.waker(_ -> {
      throw new IllegalStateException("our bug");
    });
    edge.route(SHOP);

    assertThat(edge.get("/").status()).isEqualTo(503);
  }

  @Test
  void aNewTableEndsTheWait() {
    Target dead = deadTarget();
    AtomicInteger asked = new AtomicInteger();
    edge.waker(_ -> {
      asked.incrementAndGet();
      return CompletableFuture.completedFuture(dead);
    });
    edge.route(SHOP, dead);
    RawClient client = edge.client().send("GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n");
    eventually("the waker is asked", () -> asked.get() > 0);

    edge.route(SHOP, edge.named("new"));

    assertThat(client.answer().body()).isEqualTo("new");
  }

  private Answer ask(String method) {
    return edge.client()
        .send(method + " / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 4\r\n\r\nbody")
        .answer();
  }

  private static Handler<HttpServerRequest> echo(String name) {
    return request -> request.body().onSuccess(body -> request.response().end(name + ":" + body));
  }

  private Target breaking(AtomicInteger asked) {
    return edge.raw(peer -> {
      peer.head();
      asked.incrementAndGet();
    });
  }
}
