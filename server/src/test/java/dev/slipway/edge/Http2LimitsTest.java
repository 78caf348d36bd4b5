package dev.slipway.edge;

import static dev.slipway.edge.RawHttp2.CANCEL;
import static dev.slipway.edge.RawHttp2.CONTINUATION;
import static dev.slipway.edge.RawHttp2.END_HEADERS;
import static dev.slipway.edge.RawHttp2.END_STREAM;
import static dev.slipway.edge.RawHttp2.ENHANCE_YOUR_CALM;
import static dev.slipway.edge.RawHttp2.HEADERS;
import static dev.slipway.edge.RawHttp2.PING;
import static dev.slipway.edge.RawHttp2.PROTOCOL_ERROR;
import static dev.slipway.edge.RawHttp2.REFUSED_STREAM;
import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client may take by HTTP/2; without TLS, which makes no difference to it. */
class Http2LimitsTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofHours(1);

  private TestEdge edge = new TestEdge();

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void aConnectionThatDoesNotGoOnIsClosed() {
    limits(ClientLimits.DEFAULTS.withWaits(SHORT, LONG));

    assertThat(edge.client().send("PRI * HT").ends()).isTrue();
    RawHttp2 head = client();
    head.frame(HEADERS, 0, 1, head.block(1, ":method", "GET"));
    assertThat(head.ends()).isTrue();
  }

  @Test
  void anIdleConnectionIsClosed() {
    limits(ClientLimits.DEFAULTS.withWaits(LONG, SHORT));
    edge.route(SHOP, edge.named("shop"));
    RawHttp2 client = client().request(1, true, "GET", "/");
    assertThat(client.answer(1).body()).isEqualTo("shop");

    assertThat(client.ends()).isTrue();
  }

  @Test
  void aBodyThatDoesNotComeIsGivenUpAndTheAppLearnsOfIt() {
    limits(ClientLimits.DEFAULTS.withSilence(SHORT));
    CompletableFuture<Void> gone = new CompletableFuture<>();
    CompletableFuture<Void> end = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.upstream(request -> {
          if (request.uri().equals("/silent")) {
            request.response().closeHandler(_ -> gone.complete(null));
            request.handler(_ -> {});
          } else {
            var _ = end.thenRun(() -> request.response().end("patient"));
          }
        }));
    RawHttp2 client = client().request(1, true, "GET", "/patient");
    client.request(3, false, "POST", "/silent").data(3, false, "he");

    assertThat(client.answer(3).reset()).isEqualTo(CANCEL);
    TestEdge.get(gone);
    end.complete(null);
    assertThat(client.answer(1).body()).isEqualTo("patient");
  }

  @Test
  void anAnswerThatIsNotTakenIsGivenUp() {
    limits(ClientLimits.DEFAULTS.withSilence(SHORT));
    Target target = edge.upstream(request -> request.response().end("never taken"));
    edge.route(SHOP, target);
    RawHttp2 client = new RawHttp2(edge.client(), 0).request(1, true, "GET", "/");

    assertThat(client.answer(1).reset()).isEqualTo(CANCEL);
    TestEdge.eventually("it is left", () -> edge.edge.inFlight(target.instance()) == 0);
  }

  @Test
  void aClientThatReadsNothingIsLeft() {
    limits(ClientLimits.DEFAULTS.withSilence(SHORT));
    Target target =
        edge.upstream(request -> request.response().end(Buffer.buffer(new byte[64 << 20])));
    edge.route(SHOP, target);
    RawHttp2 client = new RawHttp2(edge.client(), Integer.MAX_VALUE);
    byte[] most = {0x7f, 0, 0, 0};
    client.frame(RawHttp2.WINDOW_UPDATE, 0, 0, most).request(1, true, "GET", "/");

    TestEdge.eventually("it is asked", () -> edge.edge.inFlight(target.instance()) == 1);
    TestEdge.eventually("it is left", () -> edge.edge.inFlight(target.instance()) == 0);
  }

  @Test
  void oneAddressHasSoManyRequestsUnderWayAndNoMore() {
    limits(ClientLimits.DEFAULTS.withPerAddress(2));
    CompletableFuture<Void> end = new CompletableFuture<>();
    Target target =
        edge.upstream(request -> {
          var _ = end.thenRun(() -> request.response().end("answered"));
        });
    edge.route(SHOP, target);
    RawHttp2 one = client().request(1, true, "GET", "/").request(3, true, "GET", "/");
    TestEdge.eventually("both are asked", () -> edge.edge.inFlight(target.instance()) == 2);
    RawHttp2 other = client().request(1, true, "GET", "/");
    assertThat(other.answer(1).reset()).isEqualTo(REFUSED_STREAM);
    one.request(5, true, "GET", "/");
    assertThat(one.answer(5).reset()).isEqualTo(REFUSED_STREAM);

    end.complete(null);

    assertThat(one.answer(1).body()).isEqualTo("answered");
    assertThat(one.answer(3).body()).isEqualTo("answered");
    other.request(3, true, "GET", "/");
    assertThat(other.answer(3).body()).isEqualTo("answered");
  }

  @Test
  void aClientThatAsksAndGivesUpAgainAndAgainIsLeft() {
    edge.route(SHOP, edge.upstream(_ -> {}));
    RawHttp2 client = client();
    send(client, 600, i -> client.request(2 * i + 1, true, "GET", "/").reset(2 * i + 1));

    assertThat(client.goneWith()).isEqualTo(ENHANCE_YOUR_CALM);
  }

  @Test
  void aClientThatPingsWithoutEndIsLeft() {
    RawHttp2 client = client();
    send(client, 10_001, _ -> client.frame(PING, 0, 0, new byte[8]));

    assertThat(client.goneWith()).isEqualTo(ENHANCE_YOUR_CALM);
  }

  @Test
  void aHeadWithoutEndIsRefused() {
    RawHttp2 client = client();
    byte[] block = client.block(1, ":method", "GET", "x-long", "a".repeat(10_000));
    client.frame(HEADERS, END_STREAM, 1, block);
    send(
        client,
        100,
        _ -> client.frame(CONTINUATION, 0, 1, client.block(1, "x-long", "b".repeat(10_000))));
    assertThat(client.ends()).isTrue();

    RawHttp2 small = client();
    small.frame(HEADERS, END_STREAM, 1, small.block(1, ":method", "GET"));
    send(small, 1000, _ -> small.frame(CONTINUATION, 0, 1, new byte[0]));
    assertThat(small.ends()).isTrue();
  }

  @Test
  void aHeadThatIsTooLargeIsRefusedAndTheConnectionGoesOn() {
    edge.route(SHOP, edge.named("shop"));
    RawHttp2 client = client();
    byte[] block =
        client.block(
            1,
            ":method",
            "GET",
            ":scheme",
            "http",
            ":authority",
            SHOP,
            ":path",
            "/",
            "x-long",
            "a".repeat(70_000));
    byte[][] parts = new byte[(block.length + 16_383) / 16_384][];
    for (int i = 0; i < parts.length; i++) {
      parts[i] =
          java.util.Arrays.copyOfRange(block, i * 16_384, Math.min(block.length, (i + 1) * 16_384));
      client.frame(
          i == 0 ? HEADERS : CONTINUATION,
          (i == 0 ? END_STREAM : 0) | (i == parts.length - 1 ? END_HEADERS : 0),
          1,
          parts[i]);
    }
    assertThat(client.answer(1).status()).isEqualTo(431);

    client.request(3, true, "GET", "/");
    assertThat(client.answer(3).body()).isEqualTo("shop");
  }

  /** By HTTP/1.1 the application would read two requests. */
  @Test
  void aMethodThatIsNoneIsRefusedAndTheConnectionGoesOn() {
    AtomicInteger asked = new AtomicInteger();
    edge.route(
        SHOP,
        edge.upstream(request -> {
          asked.incrementAndGet();
          request.response().end();
        }));
    RawHttp2 client = client();
    client.request(1, true, "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET", "/");
    assertThat(client.answer(1).reset()).isEqualTo(PROTOCOL_ERROR);
    client.request(3, true, "", "/");
    assertThat(client.answer(3).reset()).isEqualTo(PROTOCOL_ERROR);
    assertThat(asked).hasValue(0);
    client.request(5, true, "GET", "/");
    assertThat(client.answer(5).status()).isEqualTo(200);
  }

  @Test
  void aConnectionInItsHandshakeCountsForItsAddress() throws IOException {
    edge(options ->
        options
            .withClients(ClientLimits.DEFAULTS.withPerAddress(2))
            .withHttps(new HttpsOptions(0, 443, Optional.empty())));
    edge.route(SHOP, edge.named("shop"));
    RawClient first = raw(edge.edge.securePort());
    try (RawClient _ = raw(edge.edge.securePort())) {
      assertThat(edge.client().ends()).isTrue();

      first.reset();
      TestEdge.eventually("one more is let in", this::isAnswered);
    }
  }

  @Test
  void thereAreSoManyConnectionsAndNoMore() {
    limits(ClientLimits.DEFAULTS.withAll(3));
    edge.route(SHOP, edge.named("shop"));
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      clients.add(edge.client().send("GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n"));
    }
    clients.forEach(client -> assertThat(client.answer().body()).isEqualTo("shop"));

    assertThat(edge.client().ends()).isTrue();

    clients.getFirst().close();
    TestEdge.eventually("one more is let in", this::isAnswered);
  }

  private boolean isAnswered() {
    try (RawHttp2 client = client()) {
      return client.request(1, true, "GET", "/").answer(1).status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private interface Step {
    void run(int number);
  }

  /** The other side may have had enough before all is sent. */
  private static void send(RawHttp2 client, int times, Step step) {
    assertThat(client).isNotNull();
    try {
      for (int i = 0; i < times; i++) {
        step.run(i);
      }
    } catch (UncheckedIOException e) {
      assertThat(e).hasRootCauseInstanceOf(IOException.class);
    }
  }

  private static RawClient raw(int port) throws IOException {
    return new RawClient(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  private RawHttp2 client() {
    return new RawHttp2(edge.client());
  }

  private void limits(ClientLimits limits) {
    edge(options -> options.withClients(limits));
  }

  private void edge(UnaryOperator<EdgeOptions> options) {
    edge.close();
    edge = new TestEdge(options);
  }
}
