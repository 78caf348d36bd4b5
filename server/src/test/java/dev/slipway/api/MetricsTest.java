package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.metric.TrafficMeters;
import dev.slipway.metric.TrafficReport;
import dev.slipway.metric.TrafficStore;
import dev.slipway.project.Project;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsTest {
  private final ApiPlace api = new ApiPlace();
  private final Project project = api.plane.project("shop");

  @AfterAll
  void close() {
    api.close();
  }

  @Test
  void theLastHourIsAnsweredByTheMinute() {
    TrafficMeters meters = new TrafficMeters();
    meters.of(project.id()).begun();
    meters.of(project.id()).ended(404, true, 5, 7, Duration.ofMillis(20).toNanos());
    new TrafficReport(api.plane.database, new TrafficStore(), meters, api.plane.clock).close();

    JsonNode data = api.get(path("")).data();

    assertThat(data.get("step_seconds").asInt()).isEqualTo(60);
    assertThat(data.get("points").size()).isBetween(60, 61);
    long requests = 0;
    for (JsonNode point : data.get("points")) {
      requests += point.get("requests").asLong();
      if (point.get("requests").asLong() > 0) {
        assertThat(point.at("/by_status/4xx").asLong()).isOne();
        assertThat(point.get("aborted").asLong()).isOne();
        assertThat(point.get("bytes_in").asLong()).isEqualTo(5);
        assertThat(point.get("bytes_out").asLong()).isEqualTo(7);
        assertThat(point.get("p50_ms").asDouble()).isBetween(17.0, 23.0);
        assertThat(point.get("p99_ms").asDouble()).isBetween(17.0, 23.0);
      } else {
        assertThat(point.has("p50_ms")).isFalse();
      }
    }
    assertThat(requests).isOne();
  }

  @Test
  void theStepFollowsTheRangeWhereNoneIsAskedFor() {
    Instant now = api.plane.clock.instant();
    assertThat(step(now.minus(Duration.ofHours(5)), now)).isEqualTo(300);
    assertThat(step(now.minus(Duration.ofHours(24)), now)).isEqualTo(900);
    assertThat(step(now.minus(Duration.ofDays(3)), now)).isEqualTo(3600);
    assertThat(step(now.minus(Duration.ofDays(30)), now)).isEqualTo(86_400);
  }

  private int step(Instant from, Instant to) {
    return api.get(path("?from=" + from + "&to=" + to)).data().get("step_seconds").asInt();
  }

  @Test
  void stepsAreWholeOnes() {
    Instant hour = api.plane.clock.instant().truncatedTo(ChronoUnit.HOURS);
    JsonNode data =
        api.get(path("?step=5m&from=" + hour.plusSeconds(1) + "&to=" + hour.plusSeconds(301)))
            .data();

    assertThat(data.get("points")).hasSize(2);
    assertThat(Instant.parse(data.get("from").asText())).isEqualTo(hour);
    assertThat(Instant.parse(data.get("to").asText())).isEqualTo(hour.plusSeconds(600));
    assertThat(Instant.parse(data.at("/points/1/at").asText())).isEqualTo(hour.plusSeconds(300));
  }

  @Test
  void whatCannotBeAnsweredIsSaid() {
    Instant now = api.plane.clock.instant();
    assertFault("?from=" + now + "&to=" + now.minusSeconds(1), "from: must be before to");
    assertFault("?from=yesterday", "from");
    assertFault("?step=2m", "step");
    assertFault(
        "?step=1m&from=" + now.minus(Duration.ofDays(2)),
        "step: must be 1h or more for what is longer ago than 24 hours");
    assertFault(
        "?step=1h&from=" + now.minus(Duration.ofDays(90)),
        "step: makes more than 1500 points; take a longer one");
  }

  private void assertFault(String query, String message) {
    ApiPlace.Reply reply = api.get(path(query));
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.message()).contains(message);
  }

  private String path(String query) {
    return "/v1/projects/" + project.id() + "/metrics" + query;
  }
}
