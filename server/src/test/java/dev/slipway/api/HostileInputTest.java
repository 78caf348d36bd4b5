package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no well-meaning client sends: the specified error each time, and the server goes on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileInputTest {
  private static final String HEAD =
      "POST /v1/migrations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";
  private final ApiPlace api = new ApiPlace();

  @AfterAll
  void close() {
    api.close();
  }

  @AfterEach
  void itStillAnswersAndWroteNothing() {
    assertThat(api.get("/v1/migrations").data()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"source\": \"a\", \"source\": \"b\"}|Duplicate field",
        "{\"branch\": \"a\\u0000b\"}|NUL or half a character in branch",
        "{\"env_vars\": {\"A\": \"\\ud800\"}}|NUL or half a character in env_vars.A",
        "{\"a\\u0000\": 1}|NUL or half a character in the name of a field;",
        "{\"env_vars\": {\"a\\u0000\": 1}}|in the name of a field of env_vars;",
        "\"\\u0000\"|NUL or half a character in its text;",
        "[[\"\\u0000\"]]|in 0.0;",
        "\uFEFF{}|not valid JSON",
        "{\"a\": NaN}|not valid JSON",
        "{\"a\": 1,}|not valid JSON",
        "{} // comment|not valid JSON"
      })
  void jsonThatIsNoneIsNamed(String body, String says) {
    ApiPlace.Reply refused = api.post("/v1/migrations", body);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("invalid_json");
    assertThat(refused.message()).contains(says).hasSizeLessThan(1_000);
  }

  @Test
  void deepNestingIsRefusedHoweverItIsClosed() {
    for (String body :
        List.of(
            "[".repeat(500_000),
            "{\"a\":".repeat(150_000),
            "[".repeat(400) + "]".repeat(400),
            "{\"env_vars\":".repeat(450) + "1" + "}".repeat(450))) {
      assertShortRefusal(api.post("/v1/migrations", body));
    }
  }

  @Test
  void manyFaultsAreCountedAndNotAllTold() {
    String names =
        IntStream.range(0, 60_000)
            .mapToObj(i -> "\"a-%d\":1".formatted(i))
            .collect(Collectors.joining(","));
    for (String body : List.of("{" + names + "}", "{\"env_vars\": {" + names + "}}")) {
      ApiPlace.Reply refused = api.post("/v1/migrations", body);
      assertShortRefusal(refused);
      assertThat(refused.message()).contains("source: is required").containsPattern("\\d+ more$");
    }
  }

  @Test
  void longNamesAndValuesAreNotSentBack() {
    String x = "x".repeat(900_000);
    for (String body :
        List.of(
            "{\"%s\": 1}".formatted(x),
            "{\"source\": \"%s\", \"repo\": \"%s\"}".formatted(x, "a/b"),
            "{\"source\": 1%s}".formatted("0".repeat(900_000)),
            "{\"source\": 1e999999999}",
            "{\"source\": \"github\", \"repo\": \"%s\"}".formatted(x))) {
      assertShortRefusal(api.post("/v1/migrations", body));
    }
    assertShortRefusal(api.get("/v1/migrations?" + "y".repeat(3_000) + "=1"));
    assertShortRefusal(api.get("/v1/migrations?limit=" + "9".repeat(3_000)));
  }

  @Test
  void anUnknownFieldIsNamedWithItsNearestWhereverItIs() {
    ApiPlace.Reply refused =
        api.post(
            "/v1/migrations",
            "{\"source\": \"github\", \"repo\": \"acme/shop\", \"project_name\": \"  \","
                + " \"branhc\": \"x\"}");

    assertThat(refused.message())
        .contains("branhc: is not known; did you mean branch?")
        .contains("project_name: must not be blank");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "br", "deflate", "gzip, gzip", "x"})
  void aCompressedBodyIsNotTaken(String coding) {
    MultiMap headers =
        ApiPlace.authorized(api.key)
            .add("Content-Type", "application/json")
            .add("Content-Encoding", coding);

    ApiPlace.Reply refused =
        api.send("POST", "/v1/migrations", headers, Optional.of(new byte[] {31, -117, 8}));

    assertThat(refused.status()).isEqualTo(415);
    assertThat(refused.message()).contains("Content-Encoding");
  }

  @Test
  void aBodyWithoutATypeIsNotTaken() {
    ApiPlace.Reply refused =
        api.send(
            "POST",
            "/v1/migrations",
            ApiPlace.authorized(api.key),
            Optional.of("{}".getBytes(StandardCharsets.UTF_8)));

    assertThat(refused.status()).isEqualTo(415);
    assertThat(refused.code()).isEqualTo("unsupported_media_type");
  }

  @Test
  void chunksBeyondTheLimitAreTooLarge() throws IOException {
    StringBuilder request = new StringBuilder(authorizedHead("Transfer-Encoding: chunked\r\n"));
    for (int i = 0; i < 40; i++) {
      request.append("10000\r\n").append("x".repeat(1 << 16)).append("\r\n");
    }

    assertRefused(request + "0\r\n\r\n", 413, "payload_too_large");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/migrations HTTP/1.1\r\nHost: 127.0.0.1\r\nbad header\r\n\r\n",
        "GET /v1/migrations HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: \u0000\r\n\r\n",
        "GET /v1/migrations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n",
        "nonsense\r\n\r\n"
      })
  void aMalformedHeadIsABadRequest(String request) throws IOException {
    assertRefused(request, 400, "invalid_request");
  }

  @Test
  void aFloodOfHeadersIsABadRequest() throws IOException {
    String flood =
        IntStream.range(0, 5_000)
            .mapToObj(i -> "X-Header-%d: %d\r\n".formatted(i, i))
            .collect(Collectors.joining());

    assertRefused(authorizedHead(flood) + "\r\n", 400, "invalid_request");
    assertRefused("GET /v1/" + "a".repeat(100_000) + " HTTP/1.1\r\n\r\n", 400, "invalid_request");
  }

  private String authorizedHead(String more) {
    return HEAD
        + "Authorization: Bearer "
        + api.key
        + "\r\n"
        + more
        + (more.contains("X-Header") ? "" : "\r\n");
  }

  private void assertRefused(String request, int status, String code) throws IOException {
    RawHttp.Response answer =
        RawHttp.send(api.port(), request.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    JsonNode json = new ObjectMapper().readTree(answer.body());
    assertThat(json.at("/error/code").asText()).isEqualTo(code);
    assertThat(answer.headers().get("X-RateLimit-Limit")).isNotNull();
    assertThat(answer.headers().get("X-Request-Id")).isNotNull();
  }

  private static void assertShortRefusal(ApiPlace.Reply refused) {
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isIn("invalid_json", "invalid_request");
    assertThat(refused.message())
        .hasSizeLessThan(40_000)
        .doesNotContain("\tat ")
        .doesNotContain("in time");
  }
}
