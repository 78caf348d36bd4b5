package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofHours(1);
  private static final String GET = "GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n";

  private TestEdge edge = new TestEdge();

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void aConnectionThatSaysNothingIsClosed() {
    limits(SHORT, LONG);

    assertThat(edge.client().ends()).isTrue();
  }

  @Test
  void aHeadThatDoesNotEndIsCutOff() {
    limits(SHORT, LONG);

    assertThat(edge.client().send("GET / HTTP/1.1\r\nHost: sh").ends()).isTrue();
  }

  @Test
  void aSecondHeadThatDoesNotEndIsCutOffToo() {
    limits(SHORT, LONG);
    edge.route(SHOP, edge.named("shop"));
    RawClient client = edge.client().send(GET);
    assertThat(client.answer().body()).isEqualTo("shop");

    assertThat(client.send("GET / HTTP/1.1\r\nHo").ends()).isTrue();
  }

  @Test
  void anIdleConnectionIsClosed() {
    limits(LONG, SHORT);
    edge.route(SHOP, edge.named("shop"));
    RawClient client = edge.client().send(GET);
    assertThat(client.answer().body()).isEqualTo("shop");

    assertThat(client.ends()).isTrue();
  }

  @Test
  void anAnswerMayTakeAsLongAsItLikes() {
    limits(SHORT, SHORT);
    Promise<Void> answer = Promise.promise();
    edge.route(
        SHOP,
        edge.upstream(request -> {
          request.response().setChunked(true).write("begin");
          answer.future().onSuccess(_ -> request.response().end("end"));
        }));
    RawClient client = edge.client().send(GET);
    client.head();
    assertThat(client.chunk()).isEqualTo("begin");
    // Others come and are closed for their idleness; this one stays.
    for (int i = 0; i < 3; i++) {
      assertThat(edge.client().ends()).isTrue();
    }

    answer.complete();

    assertThat(client.chunk()).isEqualTo("end");
  }

  @Test
  void anUpgradedConnectionMayBeSilentAsLongAsItLikes() {
    limits(SHORT, SHORT);
    edge.route(
        SHOP,
        edge.upstream(
            request -> request.toNetSocket().onSuccess(socket -> socket.handler(socket::write))));
    RawClient client =
        edge.client()
            .sendLines(
                """
                GET / HTTP/1.1
                Host: shop.localhost
                Connection: Upgrade
                Upgrade: echo

                """);
    assertThat(client.head()).startsWith("HTTP/1.1 101");
    for (int i = 0; i < 3; i++) {
      assertThat(edge.client().ends()).isTrue();
    }

    assertThat(client.send("ping").read(4)).isEqualTo("ping");
  }

  @Test
  void leaveToSendABodyIsNoEndOfAnAnswer() {
    limits(LONG, SHORT);
    CompletableFuture<Void> left = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.raw(peer -> {
          peer.head();
          peer.send("HTTP/1.1 100 Continue\r\n\r\n");
          TestEdge.get(left);
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
          peer.ends();
        }));
    RawClient client =
        edge.client()
            .sendLines(
                """
                POST / HTTP/1.1
                Host: shop.localhost
                Content-Length: 5
                Expect: 100-continue

                """);
    assertThat(client.head()).startsWith("HTTP/1.1 100");
    RawClient idle = edge.client().send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(idle.answer().body()).isEqualTo("control");
    assertThat(idle.ends()).isTrue();

    left.complete(null);

    assertThat(client.send("hello").answer().body()).isEqualTo("ok");
  }

  private void limits(Duration head, Duration idle) {
    edge.close();
    edge = new TestEdge(options -> options.withConnectionLimits(head, idle));
  }
}
