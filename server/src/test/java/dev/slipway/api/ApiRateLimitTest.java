package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.AtOnce;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many requests are answered in a minute, and what every answer says of it. */
class ApiRateLimitTest {
  private static final MultiMap NONE = MultiMap.caseInsensitiveMultiMap();
  private final ApiPlace api =
      new ApiPlace(
          new Api.Http(
              tier -> Map.of("free", 30, "pro", 120, "team", 600, "large", 6_000).get(tier),
              20,
              List.of(),
              List.of(),
              ApiPlace.MAX_JSON_BYTES,
              Api.Http.BODY_TIME));

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void everyAnswerTellsTheLimitWhatIsLeftAndTheSecondOfTheReset() {
    MultiMap headers = api.get("/v1/migrations").headers();

    assertThat(headers.get("X-RateLimit-Limit")).isEqualTo("30");
    assertThat(headers.get("X-RateLimit-Remaining")).isEqualTo("29");
    assertThat(headers.get("X-RateLimit-Reset"))
        .isEqualTo("" + Instant.parse("2026-11-21T09:31:00Z").getEpochSecond());
    assertThat(headers.contains("Retry-After")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"free,30", "pro,120", "team,600"})
  void exactlyTheLimitOfTheTierPasses(String tier, int limit) throws Exception {
    api.plane.database.useTransaction(tx -> tx.execute("UPDATE account SET tier = ?", tier));

    List<ApiPlace.Reply> replies = atOnce(limit + 25, ApiPlace.authorized(api.key));

    assertThat(replies.stream().filter(reply -> reply.status() == 200)).hasSize(limit);
    assertThat(replies.stream().filter(reply -> reply.status() == 429)).hasSize(25);
    assertThat(
            replies.stream()
                .filter(reply -> reply.status() == 200)
                .map(reply -> Integer.valueOf(reply.headers().get("X-RateLimit-Remaining")))
                .distinct())
        .hasSize(limit)
        .allMatch(left -> left >= 0 && left < limit);
  }

  @Test
  void ofTenThousandRequestsExactlyTheLimitPasses() throws Exception {
    api.plane.database.useTransaction(tx -> tx.execute("UPDATE account SET tier = 'large'"));
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/v1/migrations".formatted(api.port())))
            .header("Authorization", "Bearer " + api.key)
            .build();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<Integer> statuses =
          AtOnce.run(
              10_000,
              () -> client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());

      assertThat(statuses.stream().filter(status -> status == 200)).hasSize(6_000);
      assertThat(statuses.stream().filter(status -> status == 429)).hasSize(4_000);
    }
  }

  @Test
  void oneTooManyIsToldWhenToComeAgain() {
    api.plane.clock.advance(Duration.ofSeconds(45));
    for (int i = 0; i < 30; i++) {
      assertThat(api.get("/v1/migrations").status()).isEqualTo(200);
    }

    ApiPlace.Reply refused = api.get("/v1/migrations");

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.code()).isEqualTo("rate_limited");
    assertThat(refused.headers().get("X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(refused.headers().get("Retry-After")).isEqualTo("15");
    api.plane.clock.advance(Duration.ofSeconds(15));
    assertThat(api.get("/v1/migrations").status()).isEqualTo(200);
  }

  @Test
  void keysOfOneAccountShareItsLimitAndAccountsDoNot() {
    String second = api.addKey(api.plane.account);
    String other = api.addKey(api.plane.addAccount());
    api.get("/v1/migrations");

    assertThat(left(api.getAs(second, "/v1/migrations"))).isEqualTo(28);
    assertThat(left(api.getAs(other, "/v1/migrations"))).isEqualTo(29);
  }

  @Test
  void withoutAValidKeyTheAddressIsLimitedAndNoAccountSuffers() throws Exception {
    List<ApiPlace.Reply> replies =
        atOnce(30, MultiMap.caseInsensitiveMultiMap().add("Authorization", "Bearer wrong-key"));

    assertThat(replies.stream().filter(reply -> reply.status() == 401)).hasSize(20);
    assertThat(replies.stream().filter(reply -> reply.status() == 429)).hasSize(10);
    assertThat(left(api.get("/v1/migrations"))).isEqualTo(29);
  }

  @Test
  void refusedRequestsAreCountedAndSaySo() {
    int left = 29;
    assertThat(left(api.get("/v1/migrations?limit=0"))).isEqualTo(left--);
    assertThat(left(api.get("/v1/nothing"))).isEqualTo(left--);
    assertThat(left(api.get("/v1"))).isEqualTo(left--);
    assertThat(left(api.get("/v1/migrations/%zz"))).isEqualTo(left--);
    assertThat(left(api.get("/v1/migrations?%zz"))).isEqualTo(left--);
    assertThat(left(api.get("/v1/./nothing"))).isEqualTo(left--);
    assertThat(left(api.get("/x/../v1/nothing"))).isEqualTo(left--);
    assertThat(left(api.get("/v1/migrations/mig_1"))).isEqualTo(left--);
    assertThat(left(api.post("/v1/migrations", "{"))).isEqualTo(left--);
    assertThat(left(api.post("/v1/migrations", "x".repeat(ApiPlace.MAX_JSON_BYTES + 1))))
        .isEqualTo(left--);
    MultiMap text = ApiPlace.authorized(api.key).add("Content-Type", "text/plain");
    assertThat(left(api.send("POST", "/v1/migrations", text, body("{}")))).isEqualTo(left--);
    assertThat(
            left(
                api.send(
                    "DELETE", "/v1/migrations", ApiPlace.authorized(api.key), Optional.empty())))
        .isEqualTo(left);
  }

  @Test
  void aPreflightIsNeitherCountedNorRefused() {
    for (int i = 0; i < 25; i++) {
      api.send("GET", "/v1/migrations", NONE, Optional.empty());
    }

    RawHttp.Response preflight = api.raw("OPTIONS", "/v1/migrations", NONE);

    assertThat(preflight.status()).isEqualTo(204);
    assertThat(preflight.headers().get("X-RateLimit-Remaining")).isEqualTo("0");
  }

  @Test
  void healthIsNotCounted() throws IOException {
    for (String path : List.of("/healthz", "/readyz")) {
      RawHttp.Response answer = RawHttp.exchange(api.port(), "GET", path, NONE, Optional.empty());
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.headers().contains("X-RateLimit-Limit")).isFalse();
    }
    assertThat(api.plane.count("request_count")).isZero();
  }

  @Test
  void aStoreThatIsAwayIsUnavailableWithSensibleHeaders() {
    api.plane.database.close();

    ApiPlace.Reply away = api.get("/v1/migrations");

    assertThat(away.status()).isEqualTo(503);
    assertThat(away.code()).isEqualTo("unavailable");
    assertThat(away.headers().get("X-RateLimit-Limit")).isEqualTo("20");
    assertThat(away.headers().get("X-RateLimit-Reset")).matches("\\d+");
    assertThat(away.headers().get("Retry-After")).isEqualTo("5");
  }

  private List<ApiPlace.Reply> atOnce(int requests, MultiMap headers) throws Exception {
    return AtOnce.run(requests, () -> api.send("GET", "/v1/migrations", headers, Optional.empty()));
  }

  private static int left(ApiPlace.Reply reply) {
    return Integer.parseInt(reply.headers().get("X-RateLimit-Remaining"));
  }

  private static Optional<byte[]> body(String text) {
    return Optional.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
