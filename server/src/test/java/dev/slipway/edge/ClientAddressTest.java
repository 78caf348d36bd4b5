package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Cidr;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientAddressTest {
  private static final List<Cidr> PROXIES =
      List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("10.0.0.0/8"));

  @Test
  void whatAClientSaysOfItselfCountsNothing() {
    assertThat(addressOf(List.of(), "X-Forwarded-For: 192.0.2.1\r\n")).isEqualTo("127.0.0.1");
  }

  @Test
  void aTrustedProxyIsBelievedAndWhatCameBeforeTheFirstStrangerIsNot() {
    assertThat(addressOf(PROXIES, "X-Forwarded-For: 192.0.2.1\r\n")).isEqualTo("192.0.2.1");
    assertThat(addressOf(PROXIES, "X-Forwarded-For: 198.51.100.7, 192.0.2.1, 10.1.1.1\r\n"))
        .isEqualTo("192.0.2.1");
    assertThat(
            addressOf(PROXIES, "X-Forwarded-For: 198.51.100.7\r\nX-Forwarded-For: 192.0.2.1\r\n"))
        .isEqualTo("192.0.2.1");
  }

  @Test
  void aListThatEndsInNonsenseIsTheProxysOwn() {
    assertThat(addressOf(PROXIES, "X-Forwarded-For: 192.0.2.1, unknown\r\n"))
        .isEqualTo("127.0.0.1");
    assertThat(addressOf(PROXIES, "X-Forwarded-For: 192.0.2.1,\r\n")).isEqualTo("127.0.0.1");
    assertThat(addressOf(PROXIES, "")).isEqualTo("127.0.0.1");
  }

  @Test
  void aPortIsNoPartOfTheAddress() {
    assertThat(addressOf(PROXIES, "X-Forwarded-For: 192.0.2.1:4711\r\n")).isEqualTo("192.0.2.1");
    assertThat(addressOf(PROXIES, "X-Forwarded-For: [2001:db8:1:2:3::1]:4711\r\n"))
        .isEqualTo(addressOf(PROXIES, "X-Forwarded-For: 2001:db8:1:2:3::1\r\n"));
  }

  @Test
  void allOfOneIpv6NetworkOf64BitsAreOneClient() {
    String one = addressOf(PROXIES, "X-Forwarded-For: 2001:db8:1:2::1\r\n");

    assertThat(addressOf(PROXIES, "X-Forwarded-For: 2001:DB8:1:2:ffff:1:2:3\r\n")).isEqualTo(one);
    assertThat(addressOf(PROXIES, "X-Forwarded-For: 2001:db8:1:3::1\r\n")).isNotEqualTo(one);
    assertThat(addressOf(PROXIES, "X-Forwarded-For: ::ffff:192.0.2.1\r\n")).isEqualTo("192.0.2.1");
  }

  private static String addressOf(List<Cidr> proxies, String headers) {
    Vertx vertx = Vertx.vertx();
    try {
      ClientAddress addresses = new ClientAddress(proxies);
      HttpServer server =
          vertx
              .createHttpServer()
              .requestHandler(request -> request.response().end(addresses.of(request)))
              .listen(0, "127.0.0.1")
              .toCompletionStage()
              .toCompletableFuture()
              .orTimeout(30, TimeUnit.SECONDS)
              .join();
      try (RawClient client = new RawClient(server.actualPort())) {
        return client.send("GET / HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n").answer().body();
      }
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }
}
