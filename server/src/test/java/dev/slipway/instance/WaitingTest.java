package dev.slipway.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.config.PortRange;
import dev.slipway.core.EnvVars;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Limits;
import dev.slipway.core.Serving;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.Plane;
import dev.slipway.edge.HealthCheck;
import dev.slipway.runtime.FakeRuntime;
import dev.slipway.runtime.InstanceSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With a patience of moments, and a limit that no test would wait for. */
class WaitingTest {
  private static final Duration MOMENT = Duration.ofMillis(50);
  private static final Patience SHORT =
      new Patience(Duration.ofHours(1), MOMENT, MOMENT, MOMENT.multipliedBy(4), MOMENT);

  private final Plane plane = new Plane();
  private final Launch launch = launch(plane.built(plane.project("app")));
  private final List<String> news = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aProgramThatAnswersOnAPortOfItsOwnChoiceIsGivenUpAndToldFirst() throws Exception {
    plane.main.runtime.nextStarts(FakeRuntime.Start.LISTENS_ELSEWHERE);

    Started.Failed failed = startFirst();

    assertThat(failed.failure().code()).isEqualTo(FailureCode.HEALTH_CHECK_FAILED);
    assertThat(failed.failure().message())
        .containsPattern("listens on port \\d+ and not on \\d+, which PORT names");
    assertThat(news)
        .singleElement()
        .asString()
        .containsPattern("listens on port \\d+ and not on \\d+, .*Waiting for that to change");
    assertThat(plane.main.runtime.running()).isEmpty();
  }

  @Test
  void aProgramThatAnswersWithFaultsAloneIsGivenUp() throws Exception {
    plane.main.runtime.nextStarts(FakeRuntime.Start.ANSWERS_WITH_500);

    Started.Failed failed = startFirst();

    assertThat(failed.failure().message()).contains("GET /up with status 500");
    assertThat(news).singleElement().asString().contains("GET /up with status 500. Waiting");
  }

  @Test
  void aProgramThatHasAnsweredBeforeHasAllOfItsTime() throws Exception {
    Patience limited =
        new Patience(Duration.ofSeconds(2), MOMENT, MOMENT, MOMENT, Duration.ofMillis(1));
    plane.main.runtime.nextStarts(FakeRuntime.Start.ANSWERS_WITH_500);

    Started.Failed failed = failed(instances(limited).start(launch));

    assertThat(failed.failure().message()).contains("status 500 for 2 s");
  }

  private Started.Failed startFirst() throws InterruptedException {
    return instances(SHORT).startFirst(launch, 1, news::add, _ -> {}).orElseThrow();
  }

  private static Started.Failed failed(Started started) {
    assertThat(started).isInstanceOf(Started.Failed.class);
    return (Started.Failed) started;
  }

  private Instances instances(Patience patience) {
    int first = ThreadLocalRandom.current().nextInt(20_000, 32_000);
    return new Instances(
        plane.database,
        "main",
        plane.main.routes,
        plane.releases,
        plane.main.runtime,
        new HealthCheck(plane.vertx),
        new PortPool(new PortRange(first, first + 200)),
        patience,
        plane.clock);
  }

  private static Launch launch(Deployment built) {
    return new Launch(
        built.id(),
        built.releaseId().orElseThrow(),
        Serving.Program.of(List.of("node"), Map.of()),
        InstanceSpec.Tools.NONE,
        EnvVars.NONE,
        "",
        new Limits(512, 1, 64),
        "/up");
  }
}
