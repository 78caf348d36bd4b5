package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.core.Secret;
import dev.slipway.hook.HookRequest;
import dev.slipway.hook.HostMessages;
import dev.slipway.project.Project;
import io.vertx.core.MultiMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The entrance of git hosts, and what the API tells of it. */
class GitHookTest {
  private static final int UNPROVEN_PER_MINUTE = 5;
  private static final byte[] PUSH = HostMessages.body("github/push");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ApiPlace api =
      new ApiPlace(
          new Api.Http(
              _ -> ApiPlace.MANY,
              UNPROVEN_PER_MINUTE,
              List.of(),
              List.of(),
              ApiPlace.MAX_JSON_BYTES,
              Api.Http.BODY_TIME));
  private final Project project = api.plane.project("shop");
  private final String path = "/hooks/git/" + project.id();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aPushDeploysAndIsListed() {
    JsonNode made = makeSecret();
    assertThat(made.path("url").asText()).isEqualTo("http://localhost:8080" + path);
    assertThat(made.path("secret").asText()).matches("whsec_[A-Za-z0-9+/]{43}=");

    RawHttp.Response answer = send(HostMessages.github("push", PUSH, secret(made)));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers().get("Content-Type")).isEqualTo("application/json");
    assertThat(answer.headers().contains("X-RateLimit-Limit")).isFalse();
    JsonNode data = json(answer).path("data");
    assertThat(data.path("outcome").asText()).isEqualTo("deployed");
    assertThat(data.has("preview_id")).isFalse();
    String deployment = data.path("deployment_id").asText();
    JsonNode shown = api.get("/v1/deployments/" + deployment).data();
    assertThat(shown.path("trigger").asText()).isEqualTo("push");
    JsonNode listed =
        api.get("/v1/projects/%s/hook_deliveries".formatted(project.id())).data().get(0);
    assertThat(listed.path("id")).isEqualTo(data.path("id"));
    assertThat(listed.path("event").asText()).isEqualTo("push");
    assertThat(listed.path("delivery_id").asText()).hasSize(36);
    assertThat(listed.path("deployment_id").asText()).isEqualTo(deployment);
  }

  @Test
  void theListHasPagesNewestFirst() {
    Secret secret = secret(makeSecret());
    for (String file : List.of("push", "push-tag", "push-deleted")) {
      var _ = send(HostMessages.github("push", HostMessages.body("github/" + file), secret));
    }
    String list = "/v1/projects/%s/hook_deliveries?limit=2".formatted(project.id());

    ApiPlace.Reply first = api.get(list);
    String cursor = first.json().at("/pagination/next_cursor").asText();
    ApiPlace.Reply second = api.get(list + "&cursor=" + cursor);

    assertThat(first.data().findValuesAsText("reason"))
        .element(0)
        .asString()
        .startsWith("The branch main was deleted");
    assertThat(first.data()).hasSize(2);
    assertThat(second.data()).hasSize(1);
    assertThat(second.json().at("/pagination/has_more").asBoolean()).isFalse();
  }

  @Test
  void aFormLargerThanFormsUsuallyAreIsRead() {
    Secret secret = secret(makeSecret());
    String large =
        new String(PUSH, StandardCharsets.UTF_8)
            .replace("The cart keeps its order", "&=%+".repeat(50_000));

    RawHttp.Response answer =
        send(HostMessages.githubForm("push", large.getBytes(StandardCharsets.UTF_8), secret));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(json(answer).at("/data/outcome").asText()).isEqualTo("deployed");
  }

  @Test
  void whatIsNotProvenIsRefusedInTheShapeOfTheApi() {
    var _ = makeSecret();
    HookRequest wrong = HostMessages.github("push", PUSH, new Secret("another"));

    assertRefused(send(wrong), 401, "unauthorized", "does not fit the secret");
    assertRefused(
        send(HostMessages.without(wrong, "X-Hub-Signature-256")),
        401,
        "unauthorized",
        "is not signed");
    assertRefused(
        send("/hooks/git/prj_none", wrong), 404, "not_found", "There is no project prj_none.");
    assertThat(api.plane.count("hook_delivery")).isZero();
  }

  @Test
  void whatCannotBeProvenIsRefusedBeforeItsBodyHasCome() throws IOException {
    var _ = makeSecret();
    String head =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nX-GitHub-Event: push\r\nContent-Length: 1000000\r\n\r\n"
            .formatted(path);

    RawHttp.Response answer =
        RawHttp.send(api.port(), head.getBytes(StandardCharsets.UTF_8)).orElseThrow();

    assertRefused(answer, 401, "unauthorized", "is not signed");
  }

  @Test
  void whatIsNotProvenIsCountedByItsAddressAndWhatIsProvenIsNot() {
    Secret secret = secret(makeSecret());
    HookRequest wrong = HostMessages.github("push", PUSH, new Secret("another"));
    for (int i = 0; i < 2 * UNPROVEN_PER_MINUTE; i++) {
      assertThat(send(HostMessages.github("push", PUSH, secret)).status()).isEqualTo(200);
    }
    for (int i = 0; i < UNPROVEN_PER_MINUTE; i++) {
      assertThat(send(wrong).status()).isEqualTo(401);
    }
    api.plane.clock.advance(Duration.ofSeconds(20));

    RawHttp.Response limited = send(wrong);

    assertRefused(limited, 429, "rate_limited", "without proof of who sent them");
    assertThat(limited.headers().get("Retry-After")).isEqualTo("40");
    assertThat(send(HostMessages.github("push", PUSH, secret)).status()).isEqualTo(200);
    assertThat(
            api.send("GET", "/v1/projects", MultiMap.caseInsensitiveMultiMap(), Optional.empty())
                .status())
        .as("requests without a key count together with them")
        .isEqualTo(429);
  }

  @Test
  void garbageIsRefused() {
    Secret secret = secret(makeSecret());
    byte[] deep = "[".repeat(2_000_000).getBytes(StandardCharsets.UTF_8);

    assertRefused(
        send(HostMessages.github("push", deep, secret)), 400, "invalid_json", "cannot be read");
    assertRefused(
        send(HostMessages.github("push", new byte[0], secret)),
        400,
        "invalid_json",
        "cannot be read");
  }

  @Test
  void aBodyLargerThanTenMebibytesIsRefused() {
    Secret secret = secret(makeSecret());
    byte[] most = padded(10 << 20);

    assertThat(send(HostMessages.github("push", most, secret)).status()).isEqualTo(200);
    assertRefused(
        send(HostMessages.github("push", padded((10 << 20) + 1), secret)),
        413,
        "payload_too_large",
        "10 MiB");
  }

  /** The push, with blanks after it. */
  private static byte[] padded(int bytes) {
    String text = new String(PUSH, StandardCharsets.UTF_8);
    return (text + " ".repeat(bytes - text.length())).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void onlyPostIsPossibleThere() {
    RawHttp.Response answer = api.raw("GET", path, MultiMap.caseInsensitiveMultiMap());

    assertRefused(answer, 405, "method_not_allowed", "POST");
    assertThat(answer.headers().get("Allow")).isEqualTo("POST");
    assertThat(api.raw("POST", "/hooks/git/", MultiMap.caseInsensitiveMultiMap()).status())
        .isEqualTo(404);
  }

  @Test
  void aNewSecretIsWrittenDownAndNotShownAgain() {
    Secret first = secret(makeSecret());
    Secret second = secret(makeSecret());

    assertThat(second).isNotEqualTo(first);
    assertThat(send(HostMessages.github("push", PUSH, first)).status()).isEqualTo(401);
    assertThat(send(HostMessages.github("push", PUSH, second)).status()).isEqualTo(200);
    assertThat(api.plane.count("audit WHERE action = 'makeHookSecret'")).isEqualTo(2);
    assertThat(api.get("/v1/projects/" + project.id()).body()).doesNotContain("whsec_");
  }

  private JsonNode makeSecret() {
    ApiPlace.Reply made = api.post("/v1/projects/%s/hook_secret".formatted(project.id()), "{}");
    assertThat(made.status()).isEqualTo(200);
    return made.data();
  }

  private static Secret secret(JsonNode made) {
    return new Secret(made.path("secret").asText());
  }

  private RawHttp.Response send(HookRequest message) {
    return send(path, message);
  }

  private RawHttp.Response send(String to, HookRequest message) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    message.headers().forEach(headers::add);
    try {
      return RawHttp.exchange(api.port(), "POST", to, headers, Optional.of(message.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertRefused(
      RawHttp.Response answer, int status, String code, String words) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(json(answer).at("/error/code").asText()).isEqualTo(code);
    assertThat(json(answer).at("/error/message").asText()).contains(words);
    assertThat(answer.headers().get("X-Request-Id")).isNotEmpty();
  }

  private static JsonNode json(RawHttp.Response answer) {
    try {
      return JSON.readTree(answer.body());
    } catch (IOException e) {
      throw new AssertionError("not JSON: " + answer.body(), e);
    }
  }
}
