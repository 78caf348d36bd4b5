package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What follows a body, and bodies that come bit by bit. */
class EdgeTrailersTest {
  private static final String ANSWER =
      """
      HTTP/1.1 200 OK
      Transfer-Encoding: chunked
      Trailer: x-end

      2
      ok
      0
      x-end: here
      content-length: 5
      set-cookie: a=b
      connection: x-end

      """
          .replace("\n", "\r\n");

  private final TestEdge edge = new TestEdge();

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void thoseOfARequestByHttp1ReachTheApp() {
    CompletableFuture<Received> received = new CompletableFuture<>();
    edge.route(SHOP, app(received));
    RawClient client =
        edge.client()
            .sendLines(
                """
                POST / HTTP/1.1
                Host: shop.localhost
                Transfer-Encoding: chunked
                Trailer: x-sum
                TE: gzip, trailers
                Connection: TE

                2
                hi
                0
                x-sum: 5
                host: other.localhost
                x-forwarded-for: 192.0.2.1

                """);
    client.head();
    assertThat(client.chunk()).isEqualTo("ok");
    assertThat(client.chunk()).isEmpty();
    assertThat(client.head()).isEqualTo("x-end: here\r\n");

    Received request = TestEdge.get(received);
    assertThat(request.headers()).containsEntry("te", List.of("trailers"));
    assertThat(request.headers()).containsEntry("connection", List.of("te"));
    assertThat(request.headers()).containsEntry("trailer", List.of("x-sum"));
    assertThat(request.body()).isEqualTo("hi");
    assertThat(request.trailers()).isEqualTo("x-sum: 5\r\n");
    // The connection is as good as before.
    client.send("GET / HTTP/1.1\r\nHost: nobody.localhost\r\n\r\n");
    assertThat(client.answer().status()).isEqualTo(404);
  }

  @Test
  void thoseOfARequestByHttp2ReachTheAppAndItsOwnComeBack() {
    CompletableFuture<Received> received = new CompletableFuture<>();
    edge.route(SHOP, app(received));
    RawHttp2 client = new RawHttp2(edge.client());
    client
        .request(1, false, "POST", "/", "te", "trailers", "trailer", "x-sum")
        .data(1, false, "hi")
        .headers(1, true, "x-sum", "5", "authorization", "none");

    RawHttp2.Answer answer = client.answer(1);

    assertThat(answer.body()).isEqualTo("ok");
    assertThat(answer.trailer("x-end")).isEqualTo("here");
    assertThat(answer.heads().getLast().size()).isEqualTo(1);
    Received request = TestEdge.get(received);
    assertThat(request.headers()).containsEntry("te", List.of("trailers"));
    assertThat(request.body()).isEqualTo("hi");
    assertThat(request.trailers()).isEqualTo("x-sum: 5\r\n");
  }

  @Test
  void whereTheBodyHasALengthThereIsNoPlaceForThem() {
    CompletableFuture<Map<String, List<String>>> received = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.raw(peer -> {
          received.complete(RawClient.headers(peer.head()));
          assertThat(peer.read(2)).isEqualTo("hi");
          peer.send(ANSWER);
          peer.ends();
        }));
    RawHttp2 client = new RawHttp2(edge.client());
    client
        .request(1, false, "POST", "/", "content-length", "2", "trailer", "x-sum")
        .data(1, false, "hi")
        .headers(1, true, "x-sum", "5");

    assertThat(client.answer(1).body()).isEqualTo("ok");
    assertThat(TestEdge.get(received)).doesNotContainKeys("trailer", "te");
  }

  /** By HTTP/1.1 what follows the line end would be a trailer of its own, or a request. */
  @Test
  void oneWithLineEndsIsRefused() {
    edge.route(
        SHOP, edge.upstream(request -> request.body().onSuccess(_ -> request.response().end())));
    RawHttp2 client = new RawHttp2(edge.client());
    client
        .request(1, false, "POST", "/")
        .data(1, false, "hi")
        .headers(1, true, "x-sum", "5\r\n\r\nGET / HTTP/1.1");

    assertThat(client.answer(1).reset()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
  }

  /** As gRPC-Web does it: each message is to be there before the next one is made. */
  @Test
  void smallPiecesOfAnAnswerAreThereAtOnce() {
    CompletableFuture<Void> headSeen = new CompletableFuture<>();
    CompletableFuture<Void> firstSeen = new CompletableFuture<>();
    edge.route(
        SHOP,
        edge.upstream(request -> {
          var response =
              request
                  .response()
                  .setChunked(true)
                  .putHeader("content-type", "application/grpc-web-text");
          response.writeHead();
          var _ = headSeen.thenRun(() -> response.write("AAAAAAA="));
          var _ = firstSeen.thenRun(() -> response.end("gAAAAA8="));
        }));
    RawHttp2 client = new RawHttp2(edge.client()).request(1, true, "POST", "/");
    RawClient old = edge.client().send("POST / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n");

    assertThat(client.next(1).head().get("content-type")).hasToString("application/grpc-web-text");
    assertThat(old.head()).contains("application/grpc-web-text");
    headSeen.complete(null);
    assertThat(client.next(1).payload()).isEqualTo("AAAAAAA=");
    assertThat(old.chunk()).isEqualTo("AAAAAAA=");
    firstSeen.complete(null);
    assertThat(client.answer(1).body()).isEqualTo("gAAAAA8=");
    assertThat(old.chunk()).isEqualTo("gAAAAA8=");
  }

  private record Received(Map<String, List<String>> headers, String body, String trailers) {}

  private Target app(CompletableFuture<Received> received) {
    return edge.raw(peer -> {
      String head = peer.head();
      StringBuilder body = new StringBuilder();
      for (String chunk = peer.chunk(); !chunk.isEmpty(); chunk = peer.chunk()) {
        body.append(chunk);
      }
      received.complete(new Received(RawClient.headers(head), body.toString(), peer.head()));
      peer.send(ANSWER);
      peer.ends();
    });
  }
}
