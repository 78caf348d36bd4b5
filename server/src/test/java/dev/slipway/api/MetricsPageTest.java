package dev.slipway.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.ProjectId;
import dev.slipway.core.Secret;
import dev.slipway.metric.Exposition;
import dev.slipway.metric.TrafficMeters;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
  private static final String TOKEN = "metrics-token-metrics-token-metrics-token";

  private ApiPlace api = new ApiPlace();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void whoAsksFromThisMachineReadsThemWithoutAKey() {
    RawHttp.Response reply = api.raw("GET", "/metrics", MultiMap.caseInsensitiveMultiMap());

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.headers().get("content-type")).startsWith("text/plain; version=0.0.4");
    assertThat(reply.body()).contains("# TYPE jvm_memory_used_bytes gauge");
    assertThat(reply.headers().contains("X-RateLimit-Limit")).isFalse();
    assertThat(
            api.raw(
                    "GET",
                    "/metrics",
                    MultiMap.caseInsensitiveMultiMap()
                        .add("Accept", "application/openmetrics-text; version=1.0.0"))
                .body())
        .endsWith("# EOF\n");
    assertThat(api.raw("POST", "/metrics", MultiMap.caseInsensitiveMultiMap()).status())
        .isEqualTo(405);
  }

  @Test
  void behindAProxyOfThisMachineNobodyDoes() {
    for (String sign : List.of("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via")) {
      RawHttp.Response reply =
          api.raw("GET", "/metrics", MultiMap.caseInsensitiveMultiMap().add(sign, "127.0.0.1"));
      assertThat(reply.status()).isEqualTo(403);
      assertThat(reply.body()).contains("\"forbidden\"");
    }
  }

  @Test
  void whereThereIsATokenItIsWantedOfEverybody() {
    api.close();
    api =
        new ApiPlace(
            new Api.Http(
                _ -> 30,
                30,
                List.of(),
                List.of(),
                1 << 20,
                Optional.of(new Secret(TOKEN)),
                Api.Http.BODY_TIME));

    assertThat(api.raw("GET", "/metrics", ApiPlace.authorized(TOKEN)).status()).isEqualTo(200);
    assertThat(api.raw("GET", "/metrics", ApiPlace.authorized(TOKEN + "x")).status())
        .isEqualTo(401);
    assertThat(api.raw("GET", "/metrics", ApiPlace.authorized(api.key)).status()).isEqualTo(401);
    assertThat(api.raw("GET", "/metrics", MultiMap.caseInsensitiveMultiMap()).status())
        .isEqualTo(401);
  }

  @Test
  void eachProjectHasItsSeriesUpToABound() {
    TrafficMeters meters = new TrafficMeters();
    ProjectId first = ProjectId.next();
    request(meters, first);
    for (int i = 0; i < 1_001; i++) {
      request(meters, ProjectId.next());
    }
    meters.of(first).begun();
    meters.refusals("head_slow", () -> 7);

    String text = new Exposition(meters, true).page("").text();

    assertThat(text)
        .contains("slipway_app_requests_total{project=\"" + first + "\",status=\"2xx\"} 1.0")
        .contains("slipway_app_requests_total{project=\"others\",status=\"2xx\"} 2.0")
        .contains("slipway_app_requests_in_flight{project=\"" + first + "\"} 1.0")
        .contains("slipway_app_answer_seconds_count{project=\"" + first + "\"} 1")
        .contains("slipway_app_sent_bytes_total{project=\"others\"} 200.0")
        .contains("slipway_edge_refusals_total{reason=\"head_slow\"} 7.0");
    assertThat(text.lines().filter(line -> line.startsWith("slipway_app_aborted_total{")))
        .hasSize(1_001);
  }

  @Test
  void whereAnyProgramOfThisMachineMayReadThemNoProjectIsToldApart() {
    TrafficMeters meters = new TrafficMeters();
    ProjectId project = ProjectId.next();
    request(meters, project);
    request(meters, ProjectId.next());

    String text = new Exposition(meters, false).page("").text();

    assertThat(text)
        .contains("slipway_app_requests_total{project=\"others\",status=\"2xx\"} 2.0")
        .doesNotContain(project.value());
  }

  private static void request(TrafficMeters meters, ProjectId project) {
    meters.of(project).begun();
    meters.of(project).ended(200, false, 10, 100, Duration.ofMillis(3).toNanos());
  }
}
