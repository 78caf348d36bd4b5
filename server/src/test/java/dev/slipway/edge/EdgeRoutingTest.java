package dev.slipway.edge;

import static dev.slipway.edge.TestEdge.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.ProjectId;
import dev.slipway.edge.RawClient.Answer;
import dev.slipway.site.Sites;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeRoutingTest {
  private final TestEdge edge = new TestEdge();

  @AfterEach
  void close() {
    edge.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: localhost\r\n", "Host: LOCALHOST:8080\r\n", "Host: localhost.\r\n",
        "Host: 127.0.0.1\r\n", "Host: 192.168.1.7:8080\r\n", "Host: [::1]\r\n",
        "Host: [fe80::1]:8080\r\n", "Host:\r\n"
      })
  void publicHostAddressesAndNoHostAreControl(String host) {
    assertThat(ask(host).body()).isEqualTo("control");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"shop.localhost", "SHOP.localhost:8080", "shop.localhost.", "Shop.LocalHost.:80"})
  void anAppIsFoundHoweverItsNameIsWritten(String host) {
    edge.route(SHOP, edge.named("shop"));

    assertThat(ask("Host: " + host + "\r\n").body()).isEqualTo("shop");
  }

  @Test
  void ourOwnPagesAreNotIndexedAtAPreview() {
    edge.route(SHOP, true); // nothing runs there, and nothing can be woken

    RawClient.Answer answer = edge.get("/");

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.header("x-robots-tag")).isEqualTo("noindex");
    edge.route(SHOP, false);
    assertThat(edge.get("/").headers()).doesNotContainKey("x-robots-tag");
  }

  @Test
  void aHeadThatCannotBeReadIsControlsUnlessItNamesAnApp() {
    edge.route(SHOP, edge.named("shop"));

    assertThat(ask("no header\r\n").body()).isEqualTo("control");
    assertThat(ask("Host: localhost\r\nno header\r\n").body()).isEqualTo("control");
    Answer refused = ask("Host: " + SHOP + "\r\nno header\r\n");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).isEmpty();
  }

  @Test
  void aCustomDomainIsFound() {
    edge.route("www.example.org", edge.named("example"));

    assertThat(ask("Host: www.example.org\r\n").body()).isEqualTo("example");
  }

  @Test
  void anUnknownAppIsAFriendly404() {
    Answer answer = ask("Host: nobody.localhost\r\nAccept: text/html,*/*\r\n");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.header("content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
    assertThat(answer.body()).contains("<h1>No app here</h1>");
  }

  @Test
  void aForeignHostIsAPlain404() {
    Answer answer = ask("Host: example.com\r\n");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.header("content-type")).startsWith("text/plain");
    assertThat(answer.body()).isEqualTo("Nothing is served under this name.\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        "a/b",
        "user@shop.localhost",
        "shop.localhost:80a",
        "a..b",
        ".localhost",
        "[::1",
        "shop.localhost:123456",
        "shöp.localhost"
      })
  void aMalformedHostIs400(String host) {
    assertThat(ask("Host: " + host + "\r\n").status()).isEqualTo(400);
  }

  @Test
  void twoHostsAre400() {
    assertThat(ask("Host: shop.localhost\r\nHost: localhost\r\n").status()).isEqualTo(400);
  }

  @Test
  void anAbsoluteAddressCountsMoreThanHost() {
    edge.route(
        SHOP,
        edge.upstream(
            request -> request.response().end(request.uri() + " " + request.getHeader("host"))));

    Answer answer =
        edge.client()
            .send("GET http://shop.localhost/a?b=c HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .answer();

    assertThat(answer.body()).isEqualTo("/a?b=c shop.localhost");
  }

  @Test
  void aConnectionGoesOnAfterEveryKindOfAnswer() {
    edge.route(SHOP, edge.named("shop"));
    RawClient client = edge.client();

    for (int i = 0; i < 3; i++) {
      assertThat(client.send("GET / HTTP/1.1\r\nHost: shop.localhost\r\n\r\n").answer().body())
          .isEqualTo("shop");
      assertThat(client.send("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n").answer().status())
          .isEqualTo(404);
      assertThat(
              client
                  .send("POST / HTTP/1.1\r\nHost: no.localhost\r\nContent-Length: 3\r\n\r\nabc")
                  .answer()
                  .status())
          .isEqualTo(404);
      assertThat(client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").answer().body())
          .isEqualTo("control");
    }
  }

  @Test
  void anOlderTableIsIgnored() {
    Target present = edge.named("present");
    Route route = new Route(ProjectId.next(), edge.deployment, false, List.of(present));
    edge.edge.apply(new RouteTable(7, Map.of(SHOP, route)));
    edge.edge.apply(new RouteTable(6, Map.of()));

    assertThat(edge.edge.version()).isEqualTo(7);
    assertThat(edge.get("/").body()).isEqualTo("present");
  }

  @Test
  void previewsAreNotIndexed() {
    Target target = edge.named("shop");
    edge.route(SHOP, target);
    edge.route("shop--x1.localhost", true, target);

    assertThat(ask("Host: shop--x1.localhost\r\n").header("x-robots-tag")).isEqualTo("noindex");
    assertThat(ask("Host: shop.localhost\r\n").headers()).doesNotContainKey("x-robots-tag");
  }

  @Test
  void aTakenPortIsToldInASentence() {
    // Servers of one Vert.x would share the port.
    Vertx other = Vertx.vertx();
    EdgeServer second =
        new EdgeServer(
            other,
            new EdgeOptions("127.0.0.1", edge.edge.port(), "localhost", "localhost"),
            _ -> new CompletableFuture<>(),
            new Sites(_ -> {
              throw new IllegalStateException("no site");
            }),
            request -> request.response().end());

    try {
      assertThatThrownBy(second::start)
          .hasMessage(
              "Port %d of 127.0.0.1 cannot be opened: another program has it. Set http.port to a free one."
                  .formatted(edge.edge.port()));
    } finally {
      TestEdge.get(other.close().toCompletionStage().toCompletableFuture());
    }
  }

  private Answer ask(String headers) {
    return edge.client().send("GET / HTTP/1.1\r\n" + headers + "\r\n").answer();
  }
}
