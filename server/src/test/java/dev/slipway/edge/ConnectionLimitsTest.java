package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Cidr;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
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

    RawClient client = edge.client().send("GET / HTTP/1.1\r\nHost: sh");
    assertThat(client.answer().status()).isEqualTo(408);
    assertThat(client.ends()).isTrue();
  }

  @Test
  void aSecondHeadThatDoesNotEndIsCutOffToo() {
    limits(SHORT, LONG);
    edge.route(SHOP, edge.named("shop"));
    RawClient client = edge.client().send(GET);
    assertThat(client.answer().body()).isEqualTo("shop");

    assertThat(client.send("GET / HTTP/1.1\r\nHo").answer().status()).isEqualTo(408);
    assertThat(client.ends()).isTrue();
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
  void aConnectionIsIdleWhenTheRestOfAnAnsweredBodyHasCome() {
    limits(SHORT, LONG);
    edge.route(SHOP, edge.named("shop"));
    RawClient client =
        edge.client()
            .send("POST / HTTP/1.1\r\nHost: nobody.localhost\r\nContent-Length: 5\r\n\r\nhe");
    assertThat(client.answer().status()).isEqualTo(404);
    client.send("llo");
    for (int i = 0; i < 3; i++) {
      assertThat(edge.client().ends()).isTrue();
    }

    assertThat(client.send(GET).answer().body()).isEqualTo("shop");
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

  @Test
  void aBodyThatDoesNotComeIsAnsweredAndTheAppLearnsOfIt() {
    limits(ClientLimits.DEFAULTS.withSilence(SHORT));
    CompletableFuture<Void> gone = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.upstream(request -> {
          request.response().closeHandler(_ -> gone.complete(null));
          request.handler(_ -> {});
        }));
    RawClient client =
        edge.client()
            .send("POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 5\r\n\r\nhe");

    assertThat(client.answer().status()).isEqualTo(408);
    assertThat(client.ends()).isTrue();
    TestEdge.get(gone);
  }

  @Test
  void anAppMayTakeItsTimeToGiveLeaveForABody() {
    limits(ClientLimits.DEFAULTS.withSilence(SHORT));
    CompletableFuture<Void> leave = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.raw(peer -> {
          peer.head();
          TestEdge.get(leave);
          peer.send("HTTP/1.1 100 Continue\r\n\r\n");
          peer.read(5);
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
          peer.ends();
        }));
    edge.route("other.localhost", edge.upstream(request -> request.handler(_ -> {})));
    String post = "POST / HTTP/1.1\r\nContent-Length: 5\r\nHost: ";
    RawClient patient = edge.client().send(post + SHOP + "\r\nExpect: 100-continue\r\n\r\n");
    RawClient silent = edge.client().send(post + "other.localhost\r\n\r\n");
    assertThat(silent.answer().status()).isEqualTo(408);

    leave.complete(null);

    assertThat(patient.head()).startsWith("HTTP/1.1 100");
    assertThat(patient.send("hello").answer().body()).isEqualTo("ok");
  }

  @Test
  void aClientThatTakesNothingOfItsAnswerIsLeft() {
    limits(ClientLimits.DEFAULTS.withSilence(SHORT));
    Target target =
        edge.upstream(request -> request.response().end(Buffer.buffer(new byte[64 << 20])));
    edge.route(SHOP, target);
    RawClient client = edge.client().send(GET);
    client.head();

    TestEdge.eventually("it is left", () -> edge.edge.inFlight(target.instance()) == 0);
  }

  @Test
  void oneAddressHoldsSoManyConnectionsAndNoMore() {
    limits(ClientLimits.DEFAULTS.withPerAddress(3));
    edge.route(SHOP, edge.named("shop"));
    RawClient first = edge.client();
    for (RawClient client : List.of(first, edge.client(), edge.client())) {
      assertThat(client.send(GET).answer().body()).isEqualTo("shop");
    }

    assertThat(edge.client().ends()).isTrue();

    first.close();
    TestEdge.eventually("one more is let in", this::isAnswered);
  }

  @Test
  void aTrustedProxyHoldsAsManyAsItLikes() {
    edge.close();
    edge =
        new TestEdge(options ->
            options
                .withClients(ClientLimits.DEFAULTS.withPerAddress(1))
                .withTrustedProxies(List.of(Cidr.parse("127.0.0.0/8"))));
    edge.route(SHOP, edge.named("shop"));

    for (int i = 0; i < 3; i++) {
      assertThat(edge.client().send(GET).answer().body()).isEqualTo("shop");
    }
  }

  @Test
  void headsThatAreTooLargeAreRefused() {
    edge.close();
    edge = new TestEdge(options -> options, HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER);
    edge.route(SHOP, edge.named("shop"));
    String host = "Host: shop.localhost\r\n";

    RawClient many = edge.client().send("GET / HTTP/1.1\r\n" + host + "X-A: b\r\n".repeat(20_000));
    assertThat(many.answer().status()).isEqualTo(431);
    assertThat(many.ends()).isTrue();
    RawClient one = edge.client().send("GET / HTTP/1.1\r\n" + host + "X-A: " + "b".repeat(80_000));
    assertThat(one.answer().status()).isEqualTo(431);
    assertThat(one.ends()).isTrue();
    RawClient line = edge.client().send("GET /" + "a".repeat(20_000) + " HTTP/1.1\r\n" + host);
    assertThat(line.answer().status()).isEqualTo(414);
    assertThat(line.ends()).isTrue();
  }

  private boolean isAnswered() {
    try (RawClient client = edge.client()) {
      return client.send(GET).answer().status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private void limits(Duration head, Duration idle) {
    limits(ClientLimits.DEFAULTS.withWaits(head, idle));
  }

  private void limits(ClientLimits limits) {
    edge.close();
    edge = new TestEdge(options -> options.withClients(limits));
  }
}
