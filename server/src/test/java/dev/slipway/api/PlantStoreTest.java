package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import dev.slipway.plantstore.PlantStore;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The plant store over HTTP; every answer is checked against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantStoreTest {
  private static final String PLANTS = "/sandbox/plants";
  private static final Contract CONTRACT = Contract.load("/openapi/plant-store.yaml");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ApiPlace place = new ApiPlace();
  private final HttpServer server = place.serve(PlantStore.api().handler(place.parts()));

  @AfterAll
  void close() {
    ApiPlace.get(server.close());
    place.close();
  }

  private record Reply(int status, MultiMap headers, JsonNode json) {}

  @Test
  void aNewPlantIsAnsweredWithoutItsNumber() {
    assertThat(create("{\"id\": 7, \"name\": \"Monstera\", \"tag\": \"indoor\"}").toString())
        .isEqualTo("{\"name\":\"Monstera\",\"tag\":\"indoor\"}");
    assertThat(create("{\"id\": 7, \"name\": \"\"}").toString()).isEqualTo("{\"name\":\"\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "1.0",
        "1e3",
        "120e-1",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775807.0",
      })
  void aNumberIsAWholeOneOf64BitsHoweverItIsWritten(String id) {
    create("{\"id\": %s, \"name\": \"Monstera\"}".formatted(id));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"1\"",
        "null",
        "true",
        "1.5",
        "1.0000000000000000001",
        "1e-400",
        "9223372036854775808",
        "-9223372036854775809",
        "9223372036854775808.0",
        "1e19",
        "1e400",
        "1e999999999",
      })
  void anyOtherNumberIsRefused(String id) {
    assertFault(400, "id: ", post("{\"id\": %s, \"name\": \"Monstera\"}".formatted(id)));
  }

  @Test
  void oneMessageTellsAllFaults() {
    Reply reply = post("{\"id\": 9223372036854775808, \"tag\": 1, \"size\": 2}");

    assertFault(400, "id: is too large", reply);
    assertThat(reply.json().get("message").asText()).contains("name", "tag: ", "size: ");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      textBlock =
          """
          `{"name": "Monstera"}`,                         id
          `{"id": 1}`,                                    name
          `{"id": 1, "name": null}`,                      name
          `{"id": 1, "name": 5}`,                         name
          `{"id": 1, "name": "M", "tag": null}`,          tag
          `{"id": 1, "name": "M", "tag": ["indoor"]}`,    tag
          `{"id": 1, "name": "M", "tagg": "indoor"}`,      did you mean tag
          `{"id": 1, "id": 2, "name": "M"}`,              id
          `[]`,                                           object
          `"Monstera"`,                                   object
          `{"id": 1,`,                                    JSON
          `{"id": 1, "name": "\\u0000"}`,                 NUL
          ` `,                                            empty
          """)
  void aBodyThatIsWrongIsRefusedAndSaysWhere(String body, String hint) {
    assertFault(400, hint, post(body));
  }

  @Test
  void anUnknownQueryParameterIsRefused() {
    assertFault(
        400, "colour", send("POST", PLANTS + "?colour=green", json(), "{\"id\":1,\"name\":\"M\"}"));
  }

  @Test
  void aBodyOfAnotherTypeIsRefused() {
    assertFault(415, "application/json", send("POST", PLANTS, authorized(), "id=1&name=M"));
  }

  @Test
  void aBodyThatIsTooLargeIsRefused() {
    assertFault(413, "larger", post("x".repeat(ApiPlace.MAX_JSON_BYTES + 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer", "Bearer wrong-key-of-32-characters-or-more", "Basic abc"})
  void withoutAValidKeyNothingElseIsLookedAt(String authorization) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    if (!authorization.isEmpty()) {
      headers.add("Authorization", authorization);
    }
    Reply reply = send("POST", PLANTS, headers, "x".repeat(ApiPlace.MAX_JSON_BYTES + 1));

    assertFault(401, "", reply);
    assertThat(reply.headers().get("WWW-Authenticate")).isEqualTo("Bearer");
  }

  @Test
  void errorsBesideTheOneOperationAreFlatToo() {
    MultiMap none = MultiMap.caseInsensitiveMultiMap();
    assertFault(404, "/sandbox/pets", send("GET", "/sandbox/pets", none, ""));
    assertFault(404, "/sandbox", send("GET", "/sandbox", none, ""));
    assertFault(400, "malformed", send("GET", "/sandbox/%zz", none, ""));
    Reply wrongMethod = send("GET", PLANTS, none, "");
    assertFault(405, "POST", wrongMethod);
    assertThat(wrongMethod.headers().get("Allow")).isEqualTo("OPTIONS, POST");
  }

  private JsonNode create(String body) {
    Reply reply = post(body);
    assertThat(reply.status()).as(reply.json().toString()).isEqualTo(200);
    return reply.json();
  }

  private Reply post(String body) {
    return send("POST", PLANTS, json(), body);
  }

  private Reply send(String method, String uri, MultiMap headers, String body) {
    try {
      Optional<byte[]> bytes =
          method.equals("POST")
              ? Optional.of(body.getBytes(StandardCharsets.UTF_8))
              : Optional.empty();
      RawHttp.Response answer = RawHttp.exchange(server.actualPort(), method, uri, headers, bytes);
      assertThat(answer.headers().get("Content-Type")).isEqualTo("application/json");
      assertThat(answer.headers().contains("X-RateLimit-Limit")).isTrue();
      assertThat(answer.headers().contains("X-RateLimit-Remaining")).isTrue();
      assertThat(answer.headers().contains("X-RateLimit-Reset")).isTrue();
      JsonNode json = JSON.readTree(answer.body());
      // 400 stands for what no operation answers: all errors have one shape.
      Schema schema =
          CONTRACT
              .answer("createPlant", answer.status())
              .or(() -> CONTRACT.answer("createPlant", 400))
              .orElseThrow();
      Faults faults = new Faults();
      CONTRACT.check(schema, json, "", faults);
      assertThat(faults.sentences()).as(answer.body()).isEmpty();
      return new Reply(answer.status(), answer.headers(), json);
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertFault(int status, String hint, Reply reply) {
    assertThat(reply.status()).as(reply.json().toString()).isEqualTo(status);
    assertThat(reply.json().get("error").asInt()).isEqualTo(status);
    assertThat(reply.json().get("message").asText()).contains(hint);
    assertThat(reply.json()).hasSize(2);
  }

  private MultiMap authorized() {
    return ApiPlace.authorized(place.key);
  }

  private MultiMap json() {
    return authorized().add("Content-Type", "application/json");
  }
}
