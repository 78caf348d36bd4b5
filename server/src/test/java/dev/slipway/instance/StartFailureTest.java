package dev.slipway.instance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Limits;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.Serving;
import dev.slipway.edge.Health;
import dev.slipway.edge.Probe;
import dev.slipway.runtime.Exit;
import dev.slipway.runtime.InstanceSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StartFailureTest {
  private static final int PORT = 20_001;
  private static final List<String> LINES =
      List.of(
          "starting",
          "throw new Error('no such table');",
          "Error: no such table: plants",
          "    at open (/app/server.js:2:9)",
          "",
          "Node.js v22.12.0");

  @Test
  void aPortOfItsOwnChoiceIsNamed() {
    Failure failure = timedOut(new Probe.Refused(), Set.of(3000));

    assertThat(failure.code()).isEqualTo(FailureCode.HEALTH_CHECK_FAILED);
    assertThat(failure.message())
        .isEqualTo(
            "The program listens on port 3000 and not on 20001, which PORT names. Let it take its port from the variable PORT.");
  }

  @Test
  void anAddressThatIsNotReachedIsNamed() {
    assertThat(timedOut(new Probe.Refused(), Set.of(PORT)).message())
        .contains("not at 127.0.0.1", "0.0.0.0");
  }

  @Test
  void whatStaysAliveWithoutListeningIsToldWhatToDo() {
    assertThat(timedOut(new Probe.Refused(), Set.of()).message())
        .contains("after 60 s: nothing listens on its port")
        .contains("must listen on the port that PORT names");
  }

  @Test
  void itsOwnAnswersCountMoreThanItsPorts() {
    assertThat(timedOut(new Probe.Answered(503), Set.of(PORT)).message())
        .contains("GET /health with status 503 for 60 s")
        .endsWith("It said: Error: no such table: plants");
  }

  @Test
  void whatIsGivenUpIsToldForHowLongItWasTheSame() {
    assertThat(
            failure(Exit.UNKNOWN, Health.Verdict.GIVEN_UP, new Probe.Answered(500), Set.of(PORT))
                .message())
        .contains("GET /health with status 500 for 20 s");
  }

  @Test
  void aProgramThatEndsWithoutAnErrorIsToldThatItMustGoOn() {
    Failure failure = failure(new Exit(0, false), Health.Verdict.ENDED, new Probe.Refused());

    assertThat(failure.code()).isEqualTo(FailureCode.START_FAILED);
    assertThat(failure.message()).contains("ended without an error").contains("goes on running");
    assertThat(failure(new Exit(3, false), Health.Verdict.ENDED, new Probe.Refused()).message())
        .isEqualTo(
            "The program ended with status 3 before it answered on port 20001: Error: no such table: plants");
  }

  @Test
  void memoryIsTheReasonWhateverElseWasSeen() {
    Failure failure = failure(new Exit(137, true), Health.Verdict.ENDED, new Probe.Refused());

    assertThat(failure.code()).isEqualTo(FailureCode.OUT_OF_MEMORY);
    assertThat(failure.message()).contains("512 MiB").contains("instance_type");
  }

  private static Failure timedOut(Probe last, Set<Integer> ports) {
    return failure(Exit.UNKNOWN, Health.Verdict.TIMED_OUT, last, ports);
  }

  private static Failure failure(Exit exit, Health.Verdict verdict, Probe last) {
    return failure(exit, verdict, last, Set.of());
  }

  private static Failure failure(
      Exit exit, Health.Verdict verdict, Probe last, Set<Integer> ports) {
    Launch launch =
        new Launch(
            new DeploymentId("dep_a"),
            new ReleaseId("rel_a"),
            Serving.Program.of(List.of("node"), Map.of()),
            InstanceSpec.Tools.NONE,
            EnvVars.NONE,
            "",
            new Limits(512, 1, 64),
            "/health");
    Health health = new Health(verdict, Duration.ofSeconds(60), 9, Optional.of(last));
    return new StartFailure(exit, health, ports, PORT, LINES, launch)
        .failure(Patience.of(Duration.ofSeconds(60)));
  }
}
