package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static dev.slipway.edge.TestEdge.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.InstanceId;
import io.vertx.core.Promise;
import io.vertx.core.http.WebSocketConnectOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EdgeDrainTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n";
  private static final String UPGRADE =
      """
      GET /chat HTTP/1.1
      Host: shop.localhost
      Connection: keep-alive, Upgrade
      Upgrade: WebSocket
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
      Sec-WebSocket-Version: 13

      """;

  private final TestEdge edge = new TestEdge();

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void drainWaitsForTheSlowRequestAndForNothingElse() {
    Promise<Void> answer = Promise.promise();
    Target old =
        edge.upstream(request -> answer.future().onSuccess(_ -> request.response().end("old")));
    edge.route(SHOP, old);
    RawClient slow = edge.client().send(GET);
    eventually("under way", () -> edge.edge.inFlight(old.instance()) == 1);
    edge.route(SHOP, edge.named("new"));

    CompletableFuture<Boolean> drained = edge.edge.drain(old.instance(), TestEdge.LIMIT);

    assertThat(edge.get("/").body()).isEqualTo("new");
    assertThat(drained).isNotDone();
    answer.complete();
    assertThat(slow.answer().body()).isEqualTo("old");
    assertThat(TestEdge.get(drained)).isTrue();
    assertThat(edge.edge.inFlight(old.instance())).isZero();
  }

  @Test
  void aDrainedInstanceIsNeverAskedAgainEvenWhereTheTableStillNamesIt() {
    Target drained = edge.named("drained");
    Target other = edge.named("other");
    edge.route(SHOP, drained, other);

    assertThat(TestEdge.get(edge.edge.drain(drained.instance(), TestEdge.LIMIT))).isTrue();
    edge.waker(_ -> CompletableFuture.completedFuture(drained));

    for (int i = 0; i < 10; i++) {
      assertThat(edge.get("/").body()).isEqualTo("other");
    }
  }

  @Test
  void anInstanceThatNobodyKnowsIsDrainedAtOnce() {
    assertThat(TestEdge.get(edge.edge.drain(InstanceId.next(), TestEdge.LIMIT))).isTrue();
  }

  @Test
  void atTheLimitWhatIsLeftIsEnded() {
    Target old =
        edge.raw(peer -> {
          peer.head();
          peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n");
          peer.ends();
        });
    Target silent =
        edge.raw(peer -> {
          peer.head();
          peer.ends();
        });
    edge.route(SHOP, old);
    RawClient events = edge.client().send(GET);
    events.head();
    assertThat(events.chunk()).isEqualTo("hi");
    edge.route(SHOP, silent);
    RawClient waiting = edge.client().send(GET);
    eventually("under way", () -> edge.edge.inFlight(silent.instance()) == 1);
    edge.route(SHOP, edge.named("new"));

    assertThat(TestEdge.get(edge.edge.drain(old.instance(), Duration.ofMillis(100)))).isFalse();
    assertThat(TestEdge.get(edge.edge.drain(silent.instance(), Duration.ofMillis(100)))).isFalse();

    assertThat(events.ends()).isTrue();
    // Nothing of an answer had come, so it can be said in words.
    assertThat(waiting.answer().status()).isEqualTo(503);
    eventually("nothing is left", () -> edge.edge.inFlight(old.instance()) == 0);
    eventually("nothing is left", () -> edge.edge.inFlight(silent.instance()) == 0);
  }

  @Test
  void aWebSocketCountsUntilItCloses() {
    Target chat =
        edge.upstream(request ->
            request
                .toWebSocket()
                .onSuccess(socket ->
                    socket.textMessageHandler(text -> {
                      if (text.equals("bye")) {
                        socket.close();
                      } else {
                        socket.writeTextMessage("you said " + text);
                      }
                    })));
    edge.route(SHOP, chat);
    var client = edge.vertx.createWebSocketClient();
    CompletableFuture<String> heard = new CompletableFuture<>();
    CompletableFuture<Void> closed = new CompletableFuture<>();
    var socket =
        TestEdge.get(
            client
                .connect(
                    new WebSocketConnectOptions()
                        .setHost("127.0.0.1")
                        .setPort(edge.edge.port())
                        .putHeader("host", SHOP)
                        .setURI("/chat"))
                .onSuccess(open ->
                    open.textMessageHandler(heard::complete)
                        .closeHandler(_ -> closed.complete(null)))
                .toCompletionStage()
                .toCompletableFuture());
    socket.writeTextMessage("hello");
    assertThat(TestEdge.get(heard)).isEqualTo("you said hello");
    assertThat(edge.edge.inFlight(chat.instance())).isEqualTo(1);
    edge.route(SHOP, edge.named("new"));

    CompletableFuture<Boolean> drained = edge.edge.drain(chat.instance(), TestEdge.LIMIT);
    assertThat(drained).isNotDone();
    socket.writeTextMessage("bye");

    TestEdge.get(closed);
    assertThat(TestEdge.get(drained)).isTrue();
  }

  @Test
  void aWebSocketIsEndedAtTheLimitOnBothSides() {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Target chat = chat(ended);
    edge.route(SHOP, chat);
    RawClient client = edge.client().sendLines(UPGRADE);
    client.head();
    assertThat(client.read("welcome".length())).isEqualTo("welcome");

    assertThat(TestEdge.get(edge.edge.drain(chat.instance(), Duration.ofMillis(100)))).isFalse();

    assertThat(client.ends()).isTrue();
    assertThat(TestEdge.get(ended)).isTrue();
    eventually("nothing is left", () -> edge.edge.inFlight(chat.instance()) == 0);
  }

  @Test
  void anUpgradedConnectionPassesBytesBothWaysAndEndsWithTheClient() {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Target chat = chat(ended);
    edge.route(SHOP, chat);
    RawClient client = edge.client().sendLines(UPGRADE);

    String head = client.head();
    assertThat(head).startsWith("HTTP/1.1 101 ");
    assertThat(RawClient.headers(head))
        .containsEntry("upgrade", List.of("websocket"))
        .containsEntry("sec-websocket-accept", List.of("x"));
    assertThat(client.read("welcome".length())).isEqualTo("welcome");
    assertThat(client.send("ping").read(4)).isEqualTo("ping");
    client.close();

    assertThat(TestEdge.get(ended)).isTrue();
    eventually("nothing is left", () -> edge.edge.inFlight(chat.instance()) == 0);
  }

  @Test
  void aRefusedUpgradeIsAnOrdinaryAnswer() {
    Target target =
        edge.upstream(request -> request.response().setStatusCode(401).end("who are you"));
    edge.route(SHOP, target);
    RawClient client = edge.client().sendLines(UPGRADE);

    RawClient.Answer answer = client.answer();
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.body()).isEqualTo("who are you");
    assertThat(client.send(GET).answer().status()).isEqualTo(401);
    eventually("nothing is left", () -> edge.edge.inFlight(target.instance()) == 0);
  }

  /** Greets together with the head of its answer, and sends back four bytes. */
  private Target chat(CompletableFuture<Boolean> ended) {
    return edge.raw(peer -> {
      assertThat(RawClient.headers(peer.head()))
          .containsEntry("connection", List.of("upgrade"))
          .containsEntry("upgrade", List.of("WebSocket"));
      peer.send(
          "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
              .concat("Sec-WebSocket-Accept: x\r\n\r\nwelcome"));
      int first = peer.read();
      if (first < 0) {
        ended.complete(true);
        return;
      }
      peer.send((char) first + peer.read(3));
      ended.complete(peer.ends());
    });
  }
}
