package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Eventually;
import dev.slipway.core.InstanceId;
import dev.slipway.deployment.Deployment;
import dev.slipway.project.Project;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code GET /deployments/{id}/logs?stream=app}: what the running program prints. */
@Timeout(120)
class ApiProgramLogTest {
  private final ApiPlace api = new ApiPlace();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Project shop = api.plane.project("shop");
  private final Deployment live = live(EnvVars.NONE);
  private final String path = "/v1/deployments/" + live.id() + "/logs?stream=app";

  @AfterEach
  void close() {
    http.close();
    api.close();
  }

  @Test
  void theLinesOfTheProgramAreAnsweredWithoutColoursTheEmptyOnesToo() {
    print(live, "listening\n\n\u001B[31mred\u001B[0m\r\n10 %\r20 %\nnot complete yet");

    JsonNode logs = api.get(path).data().get("logs");
    assertThat(logs.findValuesAsText("message")).containsExactly("listening", "", "red", "20 %");
    assertThat(logs.findValuesAsText("level")).containsOnly("info");
    assertThat(logs.findValuesAsText("timestamp")).isSorted();
    assertThat(api.get(path.replace("app", "build")).data())
        .isEqualTo(api.get(path.replace("?stream=app", "")).data());
  }

  @Test
  void itsVariablesAreMasked() {
    Deployment secret = live(new EnvVars(Map.of("TOKEN", "s3cret-of-ada", "PIN", "1234")));
    print(secret, "token s3cret-of-ada pin 1234\n");

    assertThat(messages(secret)).containsExactly("token [masked] pin 1234");
  }

  @Test
  void whatHasNoProgramHasAnEmptyLog() {
    Deployment replaced = live;
    live(EnvVars.NONE);
    Deployment queued = api.plane.trigger(shop);

    assertThat(messages(replaced)).isEmpty();
    assertThat(messages(queued)).isEmpty();
  }

  @Test
  void aFollowerSeesLinesAsTheyComeAndGoesOnWhereItWas() throws Exception {
    print(live, "one\ntwo\n");
    String id;
    try (SentEvents events = follow(live, Optional.empty())) {
      assertThat(events.next().get("data")).contains("\"message\":\"one\"");
      Map<String, String> two = events.next();
      assertThat(two.get("data")).contains("\"message\":\"two\"");
      id = two.getOrDefault("id", "");
      print(live, "thr");
      print(live, "ee\n");
      assertThat(events.next().get("data")).contains("\"message\":\"three\"");
    }
    try (SentEvents events = follow(live, Optional.of(id))) {
      assertThat(events.next().get("data")).contains("\"message\":\"three\"");
    }
  }

  @Test
  void eachLineSaysWhichInstancePrintedIt() {
    assertThat(api.call("PATCH", "/v1/projects/" + shop.id(), "{\"instances\": 2}").status())
        .isEqualTo(200);
    api.plane.main.jobs.runDue();
    Eventually.holds("two run", () -> api.plane.main.instances.healthy(live.id()).size() == 2);
    Map<String, String> expected = new HashMap<>();
    for (InstanceId id : api.plane.main.instances.healthy(live.id())) {
      api.plane.main.runtime.print(id, "printed by " + id + "\n");
      expected.put("printed by " + id, id.value());
    }

    Map<String, String> printed = new HashMap<>();
    api.get(path)
        .data()
        .get("logs")
        .forEach(
            entry -> printed.put(entry.get("message").asText(), entry.get("instance").asText()));
    assertThat(printed).hasSize(2).isEqualTo(expected);
  }

  @Test
  void aFollowerIsTakenToTheNextInstanceAfterACrash() throws Exception {
    print(live, "first\n");
    try (SentEvents events = follow(live, Optional.empty())) {
      assertThat(events.next().get("data")).contains("first");
      InstanceId crashed = instance(live);
      api.plane.main.runtime.crash(crashed);
      Eventually.holds(
          "another one runs",
          () ->
              api.plane.main.instances.healthy(live.id()).stream()
                  .anyMatch(id -> !id.equals(crashed)));
      print(live, "second\n");
      assertThat(events.next().get("data")).contains("second");
    }
  }

  @Test
  void theStreamEndsWhenTheProgramHasEndedForGood() throws Exception {
    try (SentEvents events = follow(live, Optional.empty())) {
      print(live, "hello\n");
      assertThat(events.next().get("data")).contains("hello");
      live(EnvVars.NONE);
      assertThat(events.next()).containsEntry("event", "end");
      assertThat(events.ended()).isTrue();
    }
  }

  @Test
  void theStreamOfAQuietProgramIsAnsweredAtOnce() throws Exception {
    try (SentEvents events = follow(live, Optional.empty())) {
      assertThat(events.lines().readLine()).isEqualTo(": follows");
    }
  }

  @Test
  void theStreamOfOneThatIsStillToBeStartedWaits() throws Exception {
    Deployment built = api.plane.built(shop);
    try (SentEvents events = follow(built, Optional.empty())) {
      api.plane.main.jobs.runDue();
      print(built, "here I am\n");
      assertThat(events.next().get("data")).contains("here I am");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "x:1", "ins_x:1", "-1"})
  void anIdThatIsNoneOfTheStreamIsRefused(String id) {
    ApiPlace.Reply refused =
        api.send(
            "GET",
            path,
            ApiPlace.authorized(api.key)
                .add("Accept", "text/event-stream")
                .add("Last-Event-ID", id),
            Optional.empty());

    assertThat(refused.code()).isEqualTo("invalid_request");
    assertThat(refused.message()).startsWith("Last-Event-ID: ");
  }

  @Test
  void anUnknownStreamIsRefusedAndTheAppsHasNoPages() {
    assertThat(api.get(path + "s").message()).startsWith("stream: ");
    assertThat(api.get(path + "&after=1").code()).isEqualTo("invalid_request");
    assertThat(api.get(path + "&limit=1").message()).startsWith("stream: ");
    String migration =
        api.post("/v1/migrations", "{\"source\": \"github\", \"repo\": \"acme/blog\"}")
            .data()
            .get("id")
            .asText();
    assertThat(api.get("/v1/migrations/" + migration + "/logs?stream=app").message())
        .startsWith("stream: ");
  }

  @Test
  void anotherAccountsIsForbidden() {
    String other = api.addKey(api.plane.addAccount());

    assertThat(api.getAs(other, path).status()).isEqualTo(403);
  }

  private Deployment live(EnvVars env) {
    Deployment deployment = api.plane.trigger(shop, env);
    api.plane.main.jobs.runDue();
    return api.plane.read(deployment);
  }

  private InstanceId instance(Deployment deployment) {
    return api.plane.main.instances.healthy(deployment.id()).getLast();
  }

  private void print(Deployment deployment, String text) {
    api.plane.main.runtime.print(instance(deployment), text);
  }

  private List<String> messages(Deployment deployment) {
    return api.get("/v1/deployments/" + deployment.id() + "/logs?stream=app")
        .data()
        .get("logs")
        .findValuesAsText("message");
  }

  private SentEvents follow(Deployment deployment, Optional<String> lastEventId)
      throws IOException, InterruptedException {
    String uri = "http://127.0.0.1:%d/v1/deployments/%s/logs?stream=app";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(uri.formatted(api.port(), deployment.id())))
            .header("Authorization", "Bearer " + api.key)
            .header("Accept", "text/event-stream");
    lastEventId.ifPresent(id -> request.header("Last-Event-ID", id));
    return SentEvents.of(http, request.build());
  }
}
