package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStream;
import dev.slipway.core.EnvVars;
import dev.slipway.deployment.Deployment;
import dev.slipway.project.Project;
import dev.slipway.runlog.LogLevel;
import io.vertx.core.MultiMap;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HEAD, OPTIONS, other sites' pages, and compression. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiTransportTest {
  private static final String PAGE = "https://ci.example.org";
  private static final String LIST = "/v1/deployments?limit=20";
  private final ApiPlace api =
      new ApiPlace(
          new Api.Http(
              _ -> ApiPlace.MANY,
              ApiPlace.MANY,
              List.of(),
              List.of(PAGE),
              ApiPlace.MAX_JSON_BYTES,
              Api.Http.BODY_TIME));
  private String logs = "";

  @BeforeAll
  void triggerSome() {
    Project project = api.plane.project("shop");
    for (int i = 0; i < 20; i++) {
      Deployment made = api.plane.trigger(project, EnvVars.NONE);
      logs = "/v1/deployments/" + made.id() + "/logs";
      api.plane.database.useTransaction(tx -> {
        for (int line = 0; line < 60; line++) {
          api.plane.logs.append(tx, made.logId(), LogLevel.INFO, "line " + line);
        }
      });
    }
  }

  @AfterAll
  void close() {
    api.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {LIST, "/v1/migrations", "/v1/migrations/mig_unknown"})
  void headIsGetWithoutTheBody(String uri) {
    RawHttp.Response get = raw("GET", uri);
    RawHttp.Response head = raw("HEAD", uri);

    assertThat(head.status()).isEqualTo(get.status());
    assertThat(head.headers().get("Content-Length")).isEqualTo("" + get.bytes().length());
    assertThat(head.headers().names()).isEqualTo(get.headers().names());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/healthz", "/readyz"})
  void probesAskWithGetOrHeadAndNothingElse(String uri) {
    assertThat(raw("GET", uri).status()).isEqualTo(200);
    assertThat(raw("HEAD", uri).status()).isEqualTo(200);
    assertThat(raw("POST", uri).status()).isEqualTo(405);
  }

  @Test
  void headOfALogHasItsHeaders() {
    RawHttp.Response head = raw("HEAD", logs);

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.headers().get("Content-Type")).isEqualTo("application/json");
    assertThat(head.headers().contains("X-RateLimit-Limit")).isTrue();
  }

  @Test
  void optionsTellsTheMethodsAndAsksForNoKey() {
    RawHttp.Response options =
        api.raw("OPTIONS", "/v1/deployments", MultiMap.caseInsensitiveMultiMap());

    assertThat(options.status()).isEqualTo(204);
    assertThat(options.headers().get("Allow")).isEqualTo("GET, HEAD, OPTIONS, POST");
    assertThat(options.headers().contains("X-RateLimit-Limit")).isTrue();
    assertThat(options.headers().contains("Access-Control-Allow-Origin")).isFalse();
  }

  @Test
  void aPageOfAConfiguredOriginMayAsk() {
    MultiMap ask =
        MultiMap.caseInsensitiveMultiMap()
            .add("Origin", PAGE)
            .add("Access-Control-Request-Method", "POST")
            .add("Access-Control-Request-Headers", "authorization, idempotency-key");
    MultiMap preflight = api.raw("OPTIONS", "/v1/deployments", ask).headers();

    assertThat(preflight.get("Access-Control-Allow-Origin")).isEqualTo(PAGE);
    assertThat(preflight.get("Access-Control-Allow-Methods")).contains("POST");
    assertThat(preflight.get("Access-Control-Allow-Headers"))
        .contains("Authorization")
        .contains("Idempotency-Key");
    assertThat(preflight.contains("Access-Control-Allow-Credentials")).isFalse();

    MultiMap answer =
        api.raw("GET", LIST, ApiPlace.authorized(api.key).add("Origin", PAGE)).headers();
    assertThat(answer.get("Access-Control-Allow-Origin")).isEqualTo(PAGE);
    assertThat(answer.get("Access-Control-Expose-Headers"))
        .contains("X-RateLimit-Remaining")
        .contains("X-Request-Id")
        .contains("Retry-After");
    assertThat(answer.getAll("Vary").toString()).containsIgnoringCase("origin");
    RawHttp.Response refused =
        api.raw("GET", LIST, MultiMap.caseInsensitiveMultiMap().add("Origin", PAGE));
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.headers().get("Access-Control-Allow-Origin")).isEqualTo(PAGE);
  }

  @Test
  void anotherPageMayNot() {
    MultiMap ask =
        ApiPlace.authorized(api.key)
            .add("Origin", "https://evil.example.org")
            .add("Access-Control-Request-Method", "GET");
    for (String method : List.of("OPTIONS", "GET")) {
      MultiMap headers = api.raw(method, LIST, ask).headers();
      assertThat(headers.contains("Access-Control-Allow-Origin")).isFalse();
      assertThat(headers.contains("Access-Control-Allow-Methods")).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip|gzip",
        "GZIP|gzip",
        "br|br",
        "zstd|zstd",
        "gzip, deflate, br, zstd|zstd",
        "gzip, deflate, br|br",
        "zstd;q=0.5, gzip;q=0.8, br;q=0|gzip",
        "*|zstd",
        "*;q=0, gzip|gzip",
        "deflate|",
        "identity, gzip;q=0.5|",
        "gzip;q=0|",
        "gzip;q=high|",
        "''|"
      })
  void anAnswerIsCompressedAsTheClientLikesIt(String accepted, String coding) throws IOException {
    String plain = raw("GET", LIST).body();

    for (String uri : List.of(LIST, logs)) {
      RawHttp.Response answer = compressed(uri, accepted);

      assertThat(answer.headers().get("Content-Encoding")).isEqualTo(coding);
      assertThat(answer.headers().getAll("Vary").toString())
          .containsIgnoringCase("accept-encoding");
      String body = decoded(answer);
      assertThat(body).isEqualTo(uri.equals(LIST) ? plain : raw("GET", uri).body());
      if (coding != null) {
        assertThat(answer.bytes().length()).isLessThan(body.length() / 2);
      }
    }
  }

  @Test
  void aSmallAnswerIsNotCompressed() {
    RawHttp.Response answer = compressed("/v1/migrations", "gzip");

    assertThat(answer.headers().contains("Content-Encoding")).isFalse();
    assertThat(answer.headers().getAll("Vary").toString()).containsIgnoringCase("accept-encoding");
  }

  @Test
  void headOfACompressedAnswerHasItsLength() {
    RawHttp.Response get = compressed(LIST, "gzip");
    RawHttp.Response head =
        api.raw("HEAD", LIST, ApiPlace.authorized(api.key).add("Accept-Encoding", "gzip"));

    assertThat(head.headers().get("Content-Length")).isEqualTo("" + get.bytes().length());
    assertThat(head.headers().get("Content-Encoding")).isEqualTo("gzip");
  }

  private RawHttp.Response raw(String method, String uri) {
    return api.raw(method, uri, ApiPlace.authorized(api.key));
  }

  private RawHttp.Response compressed(String uri, String accepted) {
    return api.raw("GET", uri, ApiPlace.authorized(api.key).add("Accept-Encoding", accepted));
  }

  private static String decoded(RawHttp.Response answer) throws IOException {
    InputStream bytes = new ByteArrayInputStream(answer.bytes().getBytes());
    String coding = String.valueOf(answer.headers().get("Content-Encoding"));
    Brotli4jLoader.ensureAvailability();
    try (InputStream plain =
        switch (coding) {
          case "gzip" -> new GZIPInputStream(bytes);
          case "br" -> new BrotliInputStream(bytes);
          case "zstd" -> new ZstdInputStream(bytes);
          default -> bytes;
        }) {
      return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
