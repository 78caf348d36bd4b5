package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The port without TLS speaks HTTP/1 and HTTP/2. */
class EdgeClearTextTest {
  private final TestEdge edge = new TestEdge();

  @BeforeEach
  void route() {
    edge.route(SHOP, edge.upstream(EdgeClearTextTest::echo));
  }

  @AfterEach
  void close() {
    edge.close();
  }

  @Test
  void aClientThatBeginsWithHttp2IsAnsweredByIt() {
    RawHttp2 client = new RawHttp2(edge.client());
    client.request(1, false, "POST", "/a?b").data(1, false, "some ").data(1, true, "text");

    RawHttp2.Answer answer = client.answer(1);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("x-asked")).isEqualTo("POST /a?b http shop.localhost");
    assertThat(answer.body()).isEqualTo("some text");
  }

  @Test
  void itsFirstBytesMayComeOneByOne() {
    RawClient client = edge.client();
    byte[] text =
        "POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 2\r\n\r\nok"
            .getBytes(StandardCharsets.ISO_8859_1);
    for (byte next : text) {
      client.send(new byte[] {next});
    }
    assertThat(client.answer().body()).isEqualTo("ok");
    assertThat(
            edge.client().send("P").send("RI / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n").answer())
        .satisfies(answer -> assertThat(answer.header("x-asked")).startsWith("PRI / "));
  }

  @Test
  void aConnectionByHttp1GoesOnAfterItsFirstRequestAndStaysStrict() {
    RawClient client = edge.client();
    for (int i = 0; i < 3; i++) {
      client.send("POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 2\r\n\r\nok");
      assertThat(client.answer().body()).isEqualTo("ok");
    }
    client.send(
        "POST / HTTP/1.1\r\nHost: shop.localhost\r\nContent-Length: 2\r\n folded: a\r\n\r\n");
    assertThat(client.answer().status()).isEqualTo(400);
    assertThat(client.ends()).isTrue();
  }

  @Test
  void nobodyGoesOverToHttp2InTheMiddle() {
    RawClient client =
        edge.client()
            .sendLines(
                """
                GET / HTTP/1.1
                Host: shop.localhost
                Connection: Upgrade, HTTP2-Settings
                Upgrade: h2c
                HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA

                """);

    RawClient.Answer answer = client.answer();

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("x-asked")).startsWith("GET / ");
  }

  private static void echo(HttpServerRequest request) {
    request
        .response()
        .putHeader(
            "x-asked",
            String.join(
                " ",
                request.method().name(),
                request.uri(),
                request.getHeader("x-forwarded-proto"),
                request.getHeader("host")));
    request.body().onSuccess(body -> request.response().end(body));
  }
}
