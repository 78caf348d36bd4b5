package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused by HTTP/1 is by HTTP/2 too: no app sees it, and others go on. */
class EdgeStrictHttp2Test {
  private final AtomicInteger asked = new AtomicInteger();
  private final TestEdge edge = new TestEdge();

  @BeforeEach
  void route() {
    edge.route(
        SHOP,
        edge.upstream(request -> {
          asked.incrementAndGet();
          request.body().onSuccess(_ -> request.response().end(request.uri()));
        }));
  }

  @AfterEach
  void close() {
    edge.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "shop.localhost ",
        "shop.local host",
        "shop.localhost:80:80",
        "shop.localhost:999999",
        "user@shop.localhost",
        "shop.localhost/",
        "shop.localhost,other.localhost",
        "shop..localhost",
        "[::1",
        "shop.localhost\r\nx-more: 1",
        "shop.localhost\u0000"
      })
  void hostsThatAreNone(String host) {
    refused(new RawHttp2(edge.client()).requestTo(host, 1, true, "GET", "/"));
    assertThat(counted()).isPositive();
  }

  @Test
  void whatIsEmpty() {
    refused(new RawHttp2(edge.client()).requestTo("", 1, true, "GET", "/"));
    refused(new RawHttp2(edge.client()).request(1, true, "GET", ""));
    refused(new RawHttp2(edge.client()).request(1, true, "", "/"));
  }

  private long counted() {
    return Stream.of(Refusal.values()).mapToLong(edge.edge::refused).sum();
  }

  @Test
  void hostsThatContradictEachOther() {
    refused(new RawHttp2(edge.client()).request(1, true, "GET", "/", "host", "other.localhost"));
    refused(
        new RawHttp2(edge.client())
            .request(1, true, "GET", "/", "host", SHOP, "host", "other.localhost"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "http://shop.localhost/", "/a b", "/a\r\nx: y", "/a\u0000", "/a\u007f"})
  void pathsThatAreNone(String path) {
    refused(new RawHttp2(edge.client()).request(1, true, "GET", path));
    assertThat(counted()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "content-length: 1",
        "content-length: 3",
        "content-length: +2",
        "content-length: 2, 3",
        "content-length: -2",
        "transfer-encoding: chunked",
        "connection: close",
        "upgrade: websocket",
        "X-Large: 1",
        ":late: 1",
        "te: gzip"
      })
  void headersThatContradictTheFrames(String header) {
    int colon = header.lastIndexOf(": ");
    refused(
        new RawHttp2(edge.client())
            .request(1, false, "POST", "/", header.substring(0, colon), header.substring(colon + 2))
            .data(1, true, "hi"));
  }

  @Test
  void lengthsThatContradictEachOther() {
    refused(
        new RawHttp2(edge.client())
            .request(1, false, "POST", "/", "content-length", "2", "content-length", "3")
            .data(1, true, "hi"));
  }

  @Test
  void pathsThatLeadUpwardsAreTheAppsToJudge() {
    RawHttp2 client = new RawHttp2(edge.client());
    client.request(1, true, "GET", "/a/../../etc/passwd");
    assertThat(client.answer(1).body()).isEqualTo("/a/../../etc/passwd");
    client.request(3, true, "GET", "/%2e%2e/");
    assertThat(client.answer(3).body()).isEqualTo("/%2e%2e/");
  }

  private void refused(RawHttp2 client) {
    RawHttp2.Answer answer = client.answer(1);

    if (answer.reset() < 0) {
      assertThat(answer.status()).isBetween(400, 499);
    } else {
      assertThat(answer.reset()).isEqualTo(RawHttp2.PROTOCOL_ERROR);
    }
    // What there is of a body may have reached the app before its end contradicted it.
    RawHttp2 other = new RawHttp2(edge.client());
    other.request(1, true, "GET", "/after");
    assertThat(other.answer(1).body()).isEqualTo("/after");
  }
}
