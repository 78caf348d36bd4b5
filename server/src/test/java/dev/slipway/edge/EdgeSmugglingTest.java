package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpServerRequest;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose end two readers could see in two places; behind each a second one is hidden. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EdgeSmugglingTest {
  private static final String HIDDEN = "GET /hidden HTTP/1.1\r\nHost: shop.localhost\r\n\r\n";

  private final TestEdge edge =
      new TestEdge(
          options -> options,
          request -> {
            if (request.decoderResult().isFailure()) {
              HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
            } else {
              request.response().end("control");
            }
          });
  private final Queue<String> arrived = new ConcurrentLinkedQueue<>();

  EdgeSmugglingTest() {
    edge.route(
        SHOP,
        edge.upstream(request -> {
          arrived.add(request.uri());
          request.endHandler(_ -> request.response().end("shop"));
        }));
  }

  @AfterAll
  void close() {
    edge.close();
  }

  static Stream<String> heads() {
    return Stream.of(
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5, 5\r\n",
        "Content-Length: 5, 6\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: -5\r\n",
        "Content-Length: 0x5\r\n",
        "Content-Length: 5 5\r\n",
        "Content-Length: 5a\r\n",
        "Content-Length: five\r\n",
        "Content-Length: \r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length : 5\r\n",
        "Content-Length\t: 5\r\n",
        "Content-Length:\r\n 5\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: identity, chunked\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding: chunked;q=1\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: \u000bchunked\r\n",
        "Transfer-Encoding: chunked\u000b\r\n",
        "Transfer-Encoding: \r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer-Encoding:\r\n chunked\r\n",
        "Transfer-Encoding: chunked\r\n ,identity\r\n",
        "Transfer\u0000-Encoding: chunked\r\n",
        "Transfer-Encoding\u00a0: chunked\r\n",
        "X-A: b\u0000c\r\n",
        "X-A: b\rTransfer-Encoding: chunked\r\n",
        "X-A: b\nTransfer-Encoding: chunked\r\n",
        "X-A: b\nContent-Length: 5\n",
        "X A: b\r\n",
        "X-A: b\r\n folded: c\r\n",
        ": b\r\n",
        "no colon\r\n",
        "Host: shop.localhost\r\n",
        "Host: localhost\r\n",
        "Host : localhost\r\n");
  }

  @ParameterizedTest
  @MethodSource("heads")
  void aHeadThatCanBeReadInTwoWaysIsRefusedAndTheConnectionEnds(String head) {
    refused("POST /seen HTTP/1.1\r\nHost: shop.localhost\r\n" + head + "\r\n0\r\n\r\n" + HIDDEN);
  }

  static Stream<String> requests() {
    return Stream.of(
        "GET  /seen HTTP/1.1\r\nHost: shop.localhost\r\n\r\n",
        "GET /seen  HTTP/1.1\r\nHost: shop.localhost\r\n\r\n",
        "GET /se en HTTP/1.1\r\nHost: shop.localhost\r\n\r\n",
        "GET /se\ten HTTP/1.1\r\nHost: shop.localhost\r\n\r\n",
        "GET /se\u0000en HTTP/1.1\r\nHost: shop.localhost\r\n\r\n",
        "GET /se\ren HTTP/1.1\r\nHost: shop.localhost\r\n\r\n",
        "GET\t/seen\tHTTP/1.1\r\nHost: shop.localhost\r\n\r\n",
        "G\u0000ET /seen HTTP/1.1\r\nHost: shop.localhost\r\n\r\n",
        "GET /seen HTTP/1.1\nHost: shop.localhost\n\n",
        "GET /seen HTTP/1.1\r\nHost: shop.localhost\n\r\n",
        "GET /seen HTTP/1.1\r\n Host: shop.localhost\r\n\r\n",
        "GET /seen HTTP/1.1\r\nX-A: b\r\n\r\n",
        "CONNECT shop.localhost:80 HTTP/1.1\r\nHost: shop.localhost\r\n\r\n",
        "POST /seen HTTP/1.0\r\nHost: shop.localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
  }

  @ParameterizedTest
  @MethodSource("requests")
  void aRequestLineOrHostThatIsNotOneIsRefusedAndTheConnectionEnds(String request) {
    refused(request + HIDDEN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http:///seen",
        "shop.localhost/seen",
        "ftp://shop.localhost/seen",
        "http://a@shop.localhost/"
      })
  void anAddressThatIsNoneIs400(String address) {
    RawClient client =
        edge.client().send("GET " + address + " HTTP/1.1\r\nHost: shop.localhost\r\n\r\n");

    assertThat(client.answer().status()).isEqualTo(400);
  }

  static Stream<String> bodies() {
    return Stream.of(
        "5\nhello\r\n0\r\n\r\n",
        "5;a=b\r\nhello\r\n0\r\n\r\n",
        "5;a\nhello\r\n0\r\n\r\n",
        "5\rhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        "+5\r\nhello\r\n0\r\n\r\n",
        "-5\r\nhello\r\n0\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n",
        "5 5\r\nhello\r\n0\r\n\r\n",
        "5_\r\nhello\r\n0\r\n\r\n",
        "g\r\nhello\r\n0\r\n\r\n",
        "\r\nhello\r\n0\r\n\r\n",
        "100000005\r\nhello\r\n0\r\n\r\n",
        "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello0\r\n\r\n",
        "5\r\nhelloXX0\r\n\r\n",
        "5\r\nhello\n0\r\n\r\n",
        "5\r\nhello\r\n0\n\n",
        "5\r\nhello\r\n0\r\n\n");
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void aBodyWhoseChunksAreNotThatNeverEndsForTheApp(String chunks) {
    arrived.clear();
    RawClient client =
        edge.client()
            .send(
                "POST /seen HTTP/1.1\r\nHost: shop.localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + chunks
                    + HIDDEN);

    assertThat(client.answer().status()).as(chunks).isEqualTo(400);
    assertThat(client.ends()).as(chunks).isTrue();
    assertThat(arrived).as(chunks).doesNotContain("/hidden");
  }

  @Test
  void plainRequestsInOneGoAreTwo() {
    arrived.clear();
    RawClient client =
        edge.client()
            .send(
                "POST /seen HTTP/1.1\r\nHost: shop.localhost\r\nTransfer-Encoding: Chunked\r\n\r\n"
                    + "5\r\nhello\r\n00a\r\n0123456789\r\n0\r\nX-A: b\r\n\r\n"
                    + HIDDEN);

    assertThat(client.answer().status()).isEqualTo(200);
    assertThat(client.answer().status()).isEqualTo(200);
    assertThat(arrived).containsExactly("/seen", "/hidden");
  }

  private void refused(String request) {
    arrived.clear();
    RawClient client = edge.client().send(request);

    assertThat(client.answer().status()).as(request).isEqualTo(400);
    assertThat(client.ends()).as(request).isTrue();
    assertThat(arrived).as(request).isEmpty();
  }
}
