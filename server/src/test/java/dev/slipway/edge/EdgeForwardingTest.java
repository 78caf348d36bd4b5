package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static dev.slipway.edge.TestEdge.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.Cidr;
import dev.slipway.edge.RawClient.Answer;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EdgeForwardingTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n";

  private final TestEdge edge = new TestEdge();

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void theAppIsToldWhoAskedAndNothingElseOfTheConnection() {
    Map<String, List<String>> headers =
        headersSeenFor(
            """
            GET /a%20b?c=%zz HTTP/1.1
            Host: Shop.localhost:8080
            Connection: keep-alive, X-Secret, Host, close-ish
            X-Secret: 1
            Close-Ish: 1
            Keep-Alive: timeout=9
            Proxy-Connection: keep-alive
            Proxy-Authorization: Basic eA==
            TE: trailers
            Upgrade: h2c
            X-Forwarded-For: 6.6.6.6
            X_Forwarded_For: 6.6.6.6
            X-Forwarded-Prefix: /evil
            Forwarded: for=6.6.6.6
            X-Real-IP: 6.6.6.6
            Cookie: a=1
            X-Kept: yes
            X-Request-Id: 7

            """);

    assertThat(headers)
        .containsOnly(
            Map.entry("host", List.of("Shop.localhost:8080")),
            Map.entry("cookie", List.of("a=1")),
            Map.entry("x-kept", List.of("yes")),
            Map.entry("x-request-id", List.of("7")),
            Map.entry("te", List.of("trailers")),
            Map.entry("connection", List.of("te")),
            Map.entry("x-forwarded-for", List.of("127.0.0.1")),
            Map.entry("x-forwarded-proto", List.of("http")),
            Map.entry("x-forwarded-host", List.of("Shop.localhost:8080")),
            Map.entry("x-forwarded-port", List.of("8080")));
  }

  @Test
  void aTrustedProxyIsBelieved() {
    try (TestEdge trusting =
        new TestEdge(options -> options.withTrustedProxies(List.of(Cidr.parse("127.0.0.0/8"))))) {
      CompletableFuture<String> head = new CompletableFuture<>();
      trusting.route(SHOP, answering(trusting, head));
      trusting
          .client()
          .sendLines(
              """
              GET / HTTP/1.1
              Host: shop.localhost
              X-Forwarded-For: 1.2.3.4
              X-Forwarded-For: 5.6.7.8
              X-Forwarded-Proto: https
              X-Forwarded-Host: shop.example.org
              X-Forwarded-Port: 443

              """)
          .answer();

      assertThat(RawClient.headers(TestEdge.get(head)))
          .containsEntry("x-forwarded-for", List.of("1.2.3.4, 5.6.7.8, 127.0.0.1"))
          .containsEntry("x-forwarded-proto", List.of("https"))
          .containsEntry("x-forwarded-host", List.of("shop.example.org"))
          .containsEntry("x-forwarded-port", List.of("443"));
    }
  }

  @Test
  void theAnswerComesWithItsOwnHeadersAndNoneOfTheConnection() {
    edge.route(
        SHOP,
        says(
            """
            HTTP/1.1 200 Fine
            Connection: X-Hop
            X-Hop: 1
            Keep-Alive: timeout=5
            Set-Cookie: a=1
            Set-Cookie: b=2
            Content-Length: 2

            ok\
            """));

    Answer answer = edge.client().send(GET).answer();

    assertThat(answer.statusLine()).isEqualTo("HTTP/1.1 200 Fine");
    assertThat(answer.headers())
        .containsOnly(
            Map.entry("set-cookie", List.of("a=1", "b=2")),
            Map.entry("content-length", List.of("2")));
    assertThat(answer.body()).isEqualTo("ok");
  }

  @Test
  void answersWithoutABodyHaveNone() {
    edge.route(
        SHOP,
        edge.upstream(request -> {
          int status = Integer.parseInt(request.uri().substring("/".length()));
          request.response().putHeader("etag", "\"1\"");
          if (request.method().name().equals("HEAD")) {
            request.response().putHeader("content-length", "1234");
          }
          request.response().setStatusCode(status).end();
        }));
    RawClient client = edge.client();

    Answer none = client.send(GET.replace("/ ", "/204 ")).answer();
    assertThat(none.status()).isEqualTo(204);
    assertThat(none.headers()).doesNotContainKeys("content-length", "transfer-encoding");
    Answer same = client.send(GET.replace("/ ", "/304 ")).answer();
    assertThat(same.status()).isEqualTo(304);
    assertThat(same.header("etag")).isEqualTo("\"1\"");
    assertThat(same.headers()).doesNotContainKeys("content-length", "transfer-encoding");
    Answer head = client.send(GET.replace("GET / ", "HEAD /200 ")).answer(true);
    assertThat(head.header("content-length")).isEqualTo("1234");
    // The connection is where it should be after all of them.
    Answer empty = client.send(GET.replace("/ ", "/200 ")).answer();
    assertThat(empty.status()).isEqualTo(200);
    assertThat(empty.header("content-length")).isEqualTo("0");
  }

  @Test
  void bodiesOfBothFramingsArePassedOn() {
    edge.route(
        SHOP,
        edge.upstream(request ->
            request
                .body()
                .onSuccess(body ->
                    request
                        .response()
                        .end(
                            body
                                + " "
                                + request.getHeader("content-length")
                                + " "
                                + request.getHeader("transfer-encoding")))));
    RawClient client = edge.client();

    assertThat(
            client
                .send("POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 5\r\n\r\nhello")
                .answer()
                .body())
        .isEqualTo("hello 5 null");
    assertThat(
            client
                .sendLines(
                    """
                    POST / HTTP/1.1
                    Host: shop.localhost
                    Transfer-Encoding: chunked

                    5
                    hello
                    6
                    -world
                    0

                    """)
                .answer()
                .body())
        .isEqualTo("hello-world null chunked");
    assertThat(
            client
                .send("POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 0\r\n\r\n")
                .answer()
                .body())
        .isEqualTo(" 0 null");
  }

  @Test
  void pipelinedRequestsAreAnsweredInTheirOrder() {
    edge.route(SHOP, edge.upstream(request -> request.response().end(request.path())));
    RawClient client = edge.client();

    client.send(GET.replace("/ ", "/1 ") + GET.replace("/ ", "/2 ") + GET.replace("/ ", "/3 "));

    assertThat(List.of(client.answer().body(), client.answer().body(), client.answer().body()))
        .containsExactly("/1", "/2", "/3");
  }

  @Test
  void chunksAndTrailersComeOneByOne() {
    CompletableFuture<Void> seen = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.raw(peer -> {
          peer.head();
          peer.send(
              "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding:"
                  + " chunked\r\nTrailer: X-Sum\r\n\r\n9\r\ndata: 1\n\n\r\n");
          TestEdge.get(seen); // The second event only exists once the first has arrived.
          peer.send("9\r\ndata: 2\n\n\r\n0\r\nX-Sum: 3\r\n\r\n");
        }));
    RawClient client = edge.client().send(GET);

    assertThat(RawClient.headers(client.head())).containsEntry("trailer", List.of("X-Sum"));
    assertThat(client.chunk()).isEqualTo("data: 1\n\n");
    seen.complete(null);
    assertThat(client.chunk()).isEqualTo("data: 2\n\n");
    assertThat(client.chunk()).isEmpty();
    assertThat(client.head()).isEqualToIgnoringCase("x-sum: 3\r\n");
  }

  @Test
  void theAppGivesLeaveToSendTheBody() {
    edge.route(
        SHOP,
        edge.raw(peer -> {
          assertThat(peer.head()).containsIgnoringCase("expect: 100-continue");
          peer.send("HTTP/1.1 100 Continue\r\n\r\n");
          String body = peer.read(5);
          peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + body);
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

    assertThat(client.head()).isEqualTo("HTTP/1.1 100 Continue\r\n");
    assertThat(client.send("hello").answer().body()).isEqualTo("hello");
  }

  @Test
  void anAppThatRefusesTheBodyIsHeardAndTheConnectionEnds() {
    edge.route(SHOP, says("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno"));
    RawClient client =
        edge.client()
            .sendLines(
                """
                POST / HTTP/1.1
                Host: shop.localhost
                Content-Length: 5
                Expect: 100-continue

                """);

    Answer answer = client.answer();
    assertThat(answer.status()).isEqualTo(417);
    assertThat(answer.header("connection")).isEqualTo("close");
    assertThat(client.ends()).isTrue();
  }

  @Test
  void anAnswerBeforeTheEndOfTheBodyIsPassedOnAndTheConnectionGoesOn() {
    edge.route(
        SHOP,
        edge.upstream(request -> {
          if (request.method().name().equals("GET")) {
            request.response().end("fine");
            return;
          }
          request.pause();
          request.response().setStatusCode(413).end("too large");
        }));
    RawClient client =
        edge.client()
            .send("POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 1000000\r\n\r\n");

    assertThat(client.answer().body()).isEqualTo("too large");
    client.send("x".repeat(1_000_000));
    for (int i = 0; i < 3; i++) {
      assertThat(client.send(GET).answer().body()).isEqualTo("fine");
    }
  }

  @Test
  void anOldClientGetsAnUnframedAnswerUntilTheEndOfTheConnection() {
    edge.route(
        SHOP, says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"));

    Answer answer = edge.client().send("GET / HTTP/1.0\r\nHost: shop.localhost\r\n\r\n").answer();

    assertThat(answer.headers()).doesNotContainKey("transfer-encoding");
    assertThat(answer.body()).isEqualTo("ok");
  }

  @Test
  void anAnswerThatEndsWithItsConnectionIsComplete() {
    edge.route(SHOP, says("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it"));

    assertThat(edge.client().send(GET).answer().body()).isEqualTo("all of it");
  }

  @Test
  void anAnswerThatBreaksOffNeverLooksComplete() {
    for (Target target :
        List.of(
            says("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"),
            says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n"))) {
      edge.route(SHOP, target);
      assertThatThrownBy(() -> edge.client().send(GET).answer())
          .isInstanceOf(UncheckedIOException.class)
          .cause()
          .isNotInstanceOf(SocketTimeoutException.class);
      // To a client of HTTP/1.0 an orderly end would mean that this was all.
      assertThatThrownBy(
              () -> edge.client().send("GET / HTTP/1.0\r\nHost: shop.localhost\r\n\r\n").answer())
          .isInstanceOf(UncheckedIOException.class)
          .cause()
          .isNotInstanceOf(SocketTimeoutException.class);
      eventually("nothing under way", () -> edge.edge.inFlight(target.instance()) == 0);
    }
  }

  @Test
  void whenTheClientGoesTheAppIsTold() {
    CompletableFuture<Void> asked = new CompletableFuture<>();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Target target =
        edge.raw(peer -> {
          peer.head();
          asked.complete(null);
          ended.complete(peer.ends());
        });
    edge.route(SHOP, target);
    RawClient client = edge.client().send(GET);
    TestEdge.get(asked);
    assertThat(edge.edge.inFlight(target.instance())).isEqualTo(1);

    client.reset();

    assertThat(TestEdge.get(ended)).isTrue();
    eventually("nothing under way", () -> edge.edge.inFlight(target.instance()) == 0);
  }

  @Test
  void whenTheClientGoesAmidTheAnswerTheAppIsTold() {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Target target =
        edge.raw(peer -> {
          peer.head();
          peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n");
          ended.complete(peer.ends());
        });
    edge.route(SHOP, target);
    RawClient client = edge.client().send(GET);
    client.head();
    assertThat(client.chunk()).isEqualTo("hi");

    client.close();

    assertThat(TestEdge.get(ended)).isTrue();
    eventually("nothing under way", () -> edge.edge.inFlight(target.instance()) == 0);
  }

  @Test
  void whenTheClientGoesAmidItsBodyTheAppIsTold() {
    CompletableFuture<String> part = new CompletableFuture<>();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.raw(peer -> {
          peer.head();
          part.complete(peer.read("part".length()));
          ended.complete(peer.ends());
        }));
    RawClient client =
        edge.client()
            .send("POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 100\r\n\r\npart");

    assertThat(TestEdge.get(part)).isEqualTo("part");
    client.close();

    assertThat(TestEdge.get(ended)).isTrue();
  }

  private Map<String, List<String>> headersSeenFor(String request) {
    CompletableFuture<String> head = new CompletableFuture<>();
    edge.route(SHOP, answering(edge, head));
    edge.client().sendLines(request).answer();
    String seen = TestEdge.get(head);
    assertThat(seen).startsWith("GET /a%20b?c=%zz HTTP/1.1\r\n");
    return RawClient.headers(seen);
  }

  private static Target answering(TestEdge edge, CompletableFuture<String> head) {
    return edge.raw(peer -> {
      head.complete(peer.head());
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  }

  /** Answers every first request of a connection with these lines, and ends the connection. */
  private Target says(String answer) {
    String text = answer.contains("\r") ? answer : answer.replace("\n", "\r\n");
    return edge.raw(peer -> {
      peer.head();
      peer.send(text);
    });
  }
}
