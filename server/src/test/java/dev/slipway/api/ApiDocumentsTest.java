package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.slipway.deployment.Plane;
import dev.slipway.plantstore.PlantStore;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contracts and the reference page, as anybody gets them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiDocumentsTest {
  private static final MultiMap NONE = MultiMap.caseInsensitiveMultiMap();
  private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"(/docs/[^\"]+)\"");

  private final ApiPlace place = new ApiPlace();
  private final HttpServer plants = place.serve(PlantStore.api().handler(place.parts()));

  @AfterAll
  void close() {
    ApiPlace.get(plants.close());
    place.close();
  }

  @ParameterizedTest
  @CsvSource({"/v1, Slipway, 1", "/sandbox, Plant store, 1.0.0"})
  void aContractIsServedAsYamlAndAsJsonWithoutAKey(String base, String title, String version)
      throws IOException {
    RawHttp.Response yaml = get(base + "/openapi.yaml", NONE);
    RawHttp.Response json = get(base + "/openapi.json", NONE);

    assertThat(yaml.status()).isEqualTo(200);
    assertThat(yaml.headers().get("Content-Type")).isEqualTo("application/yaml");
    assertThat(json.headers().get("Content-Type")).isEqualTo("application/json");
    JsonNode document = read(json);
    assertThat(new YAMLMapper().readTree(yaml.body())).isEqualTo(document);
    assertThat(document.get("openapi").asText()).isEqualTo("3.1.0");
    assertThat(document.at("/info/title").asText()).isEqualTo(title);
    assertThat(document.at("/info/version").asText()).isEqualTo(version);
    assertThat(document.at("/servers/0/url").asText())
        .isEqualTo(Plane.ADDRESSES.publicUrl() + base);
    assertThat(yaml.body()).doesNotContain(ServedContract.EXAMPLE_ADDRESS);
    assertThat(yaml.headers().contains("X-RateLimit-Limit")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/openapi.yaml", "/v1/openapi.json", "/docs", "/docs/scalar.js"})
  void whoHasItAlreadyIsToldSo(String path) {
    String tag = Objects.requireNonNull(get(path, NONE).headers().get("ETag"));

    for (String known : List.of(tag, "\"other\", " + tag, "*", tag.replace("W/", ""))) {
      RawHttp.Response again = head(path, header("If-None-Match", known));
      assertThat(again.status()).as(known).isEqualTo(304);
      assertThat(again.headers().get("ETag")).isEqualTo(tag);
    }
    assertThat(head(path, header("If-None-Match", "\"other\"")).status()).isEqualTo(200);
  }

  @Test
  void headSaysWhatGetWould() {
    RawHttp.Response get = get("/v1/openapi.json", NONE);
    RawHttp.Response head = head("/v1/openapi.json", NONE);

    for (String name : List.of("Content-Type", "Content-Length", "ETag", "Vary")) {
      assertThat(head.headers().get(name)).as(name).isEqualTo(get.headers().get(name)).isNotNull();
    }
    assertThat(head.body()).isEmpty();
  }

  @Test
  void whoTakesGzipGetsIt() {
    RawHttp.Response small = head("/docs/scalar.js", header("Accept-Encoding", "br, gzip;q=0.5"));
    RawHttp.Response plain = head("/docs/scalar.js", header("Accept-Encoding", "gzip;q=0"));

    assertThat(small.headers().get("Content-Encoding")).isEqualTo("gzip");
    assertThat(plain.headers().contains("Content-Encoding")).isFalse();
    assertThat(length(small)).isLessThan(length(plain) / 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/openapi.yaml", "/docs", "/docs/scalar.js"})
  void otherMethodsAreRefused(String path) {
    ApiPlace.Reply reply = place.send("DELETE", path, NONE, Optional.empty());

    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.headers().get("Allow")).isEqualTo("GET, HEAD");
  }

  @Test
  void thePageLoadsNothingFromElsewhere() {
    RawHttp.Response page = get("/docs", NONE);

    assertThat(page.headers().get("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.headers().get("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self';", "connect-src 'self'")
        .doesNotContain("http", "unsafe-eval");
    assertThat(page.body()).doesNotContain("http://", "https://");
    Matcher loaded = LOADED.matcher(page.body());
    assertThat(loaded.results().map(it -> it.group(1)))
        .hasSize(3)
        .allSatisfy(path -> assertThat(head(path, NONE).status()).as(path).isEqualTo(200));
    assertThat(get("/docs/reference.js", NONE).body())
        .contains("/v1/openapi.json", "/sandbox/openapi.json");
  }

  private RawHttp.Response get(String path, MultiMap headers) {
    return exchange("GET", path, headers);
  }

  private RawHttp.Response head(String path, MultiMap headers) {
    return exchange("HEAD", path, headers);
  }

  private RawHttp.Response exchange(String method, String path, MultiMap headers) {
    int port = path.startsWith("/sandbox") ? plants.actualPort() : place.port();
    try {
      return RawHttp.exchange(port, method, path, headers, Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode read(RawHttp.Response response) throws JsonProcessingException {
    return new ObjectMapper().readTree(response.body());
  }

  private static int length(RawHttp.Response response) {
    return Integer.parseInt(response.headers().get("Content-Length"));
  }

  private static MultiMap header(String name, String value) {
    return MultiMap.caseInsensitiveMultiMap().add(name, value);
  }
}
