package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.core.Eventually;
import dev.slipway.deployment.Deployment;
import dev.slipway.event.Placing;
import dev.slipway.project.Project;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiEventsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ApiPlace api = new ApiPlace();
  private final Placing placing = new Placing(api.plane.events).start(api.plane.notifications);
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    http.close();
    placing.close();
    api.close();
  }

  @Test
  void aMigrationIsToldFromItsProjectToItsEnd() {
    JsonNode migration =
        api.post("/v1/migrations", "{\"source\": \"github\", \"repo\": \"acme/shop\"}").data();
    api.plane.main.jobs.runDue();

    assertThat(types(eventsOnceThereAre(7)))
        .containsExactly(
            "project.created",
            "deployment.queued",
            "migration.processing",
            "deployment.building",
            "deployment.deploying",
            "migration.complete",
            "deployment.live");
    assertThat(of(migration.get("id").asText()).getLast().at("/data/status").asText())
        .isEqualTo("complete");
  }

  @Test
  void whatIsToldIsWhatAReadShowsThen() {
    Deployment deployment = api.plane.deploy(api.plane.project("blog"));
    eventsOnceThereAre(4);

    List<JsonNode> told = of(deployment.id().value());

    assertThat(told.getLast().get("type").asText()).isEqualTo("deployment.live");
    assertThat(told.getLast().get("data"))
        .isEqualTo(api.get("/v1/deployments/" + deployment.id()).data());
    assertThat(told).extracting(it -> it.get("sequence").asInt()).containsExactly(1, 2, 3, 4);
    assertThat(told)
        .extracting(it -> it.at("/data/status").asText())
        .containsExactly("queued", "building", "deploying", "live");
  }

  @Test
  void aRollbackTellsOfBothAndAFailureOfItsCause() {
    Project blog = api.plane.project("blog");
    Deployment first = api.plane.deploy(blog);
    Deployment second = api.plane.deploy(blog);
    api.plane.main.service().rollback(api.plane.account, first.id());
    api.plane.main.jobs.runDue();
    Deployment canceled = api.plane.trigger(blog);
    api.plane.main.service().cancel(api.plane.account, canceled.id());
    eventsOnceThereAre(4 + 4 + 4 + 2);

    assertThat(types(of(second.id().value()))).last().isEqualTo("deployment.rolled_back");
    JsonNode failed = of(canceled.id().value()).getLast();
    assertThat(failed.get("type").asText()).isEqualTo("deployment.failed");
    assertThat(failed.at("/data/error/code").asText()).isEqualTo("canceled");
  }

  @Test
  void aDeletedProjectAndWhatItTookAlongAreTold() {
    Project blog = api.plane.project("blog");
    Deployment queued = api.plane.trigger(blog);
    api.call("DELETE", "/v1/projects/" + blog.id(), "");
    eventsOnceThereAre(3);

    assertThat(types(of(queued.id().value())))
        .containsExactly("deployment.queued", "deployment.failed");
    assertThat(types(of(blog.id().value()))).containsExactly("project.deleted");
    assertThat(events("?project_id=" + blog.id())).hasSize(3);
  }

  @Test
  void aFollowerSeesWhatHappensFromThenOnAndGoesOnWhereItWas() throws Exception {
    Project blog = api.plane.project("blog");
    api.plane.deploy(blog);
    eventsOnceThereAre(4);
    Optional<String> seen;
    try (SentEvents stream = follow("", Optional.empty())) {
      api.plane.trigger(blog);
      Map<String, String> event = stream.next();
      assertThat(event).containsEntry("event", "deployment.queued");
      JsonNode data = JSON.readTree(event.get("data"));
      assertThat(data.at("/data/project_id").asText()).isEqualTo(blog.id().value());
      assertThat(data.has("id")).isFalse();
      seen = Optional.ofNullable(event.get("id"));
    }
    api.plane.main.jobs.runDue();
    try (SentEvents stream = follow("?project_id=" + blog.id(), seen)) {
      assertThat(List.of(stream.next(), stream.next(), stream.next()))
          .extracting(event -> event.get("event"))
          .containsExactly("deployment.building", "deployment.deploying", "deployment.live");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"evt_00000000000000000000000000", "5", "evt_"})
  void anEventThatIsNotThereIsNotGoneOnAfter(String id) {
    ApiPlace.Reply refused =
        api.send(
            "GET",
            "/v1/events",
            ApiPlace.authorized(api.key)
                .add("Accept", "text/event-stream")
                .add("Last-Event-ID", id),
            Optional.empty());

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.message()).startsWith("Last-Event-ID: ");
  }

  @Test
  void othersSeeNothingOfIt() {
    Project blog = api.plane.project("blog");
    api.plane.trigger(blog);
    String id = eventsOnceThereAre(1).getFirst().get("id").asText();
    String other = api.addKey(api.plane.addAccount());

    assertThat(api.getAs(other, "/v1/events").json().get("data")).isEmpty();
    assertThat(api.getAs(other, "/v1/events?project_id=" + blog.id()).status()).isEqualTo(403);
    ApiPlace.Reply refused =
        api.send(
            "GET",
            "/v1/events",
            ApiPlace.authorized(other).add("Accept", "text/event-stream").add("Last-Event-ID", id),
            Optional.empty());
    assertThat(refused.status()).isEqualTo(400);
  }

  @Test
  void aPageGoesOnWhereTheOneBeforeEnded() {
    api.plane.deploy(api.plane.project("blog"));
    List<JsonNode> all = eventsOnceThereAre(4);

    JsonNode first = api.get("/v1/events?limit=3").json();
    JsonNode second =
        api.get("/v1/events?limit=3&cursor=" + first.at("/pagination/next_cursor").asText()).json();

    List<JsonNode> read = new ArrayList<>();
    first.get("data").forEach(read::add);
    second.get("data").forEach(read::add);
    assertThat(read.reversed()).isEqualTo(all);
    assertThat(second.at("/pagination/has_more").asBoolean()).isFalse();
  }

  /** The oldest first. */
  private List<JsonNode> eventsOnceThereAre(int count) {
    Eventually.holds(count + " events have their places", () -> events("").size() >= count);
    assertThat(events("")).hasSize(count);
    return events("");
  }

  private List<JsonNode> events(String query) {
    String path = "/v1/events" + (query.isEmpty() ? "?" : query + "&") + "limit=100";
    return StreamSupport.stream(api.get(path).json().get("data").spliterator(), false)
        .toList()
        .reversed();
  }

  private List<JsonNode> of(String resource) {
    return events("").stream().filter(it -> it.at("/data/id").asText().equals(resource)).toList();
  }

  private static List<String> types(List<JsonNode> events) {
    return events.stream().map(it -> it.get("type").asText()).toList();
  }

  private SentEvents follow(String query, Optional<String> lastEventId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/v1/events%s".formatted(api.port(), query)))
            .header("Authorization", "Bearer " + api.key)
            .header("Accept", "text/event-stream");
    lastEventId.ifPresent(id -> request.header("Last-Event-ID", id));
    return SentEvents.of(http, request.build());
  }
}
