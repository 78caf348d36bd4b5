package dev.slipway.instance;

import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.edge.Health;
import dev.slipway.edge.Probe;
import dev.slipway.runtime.Exit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Why a program did not come to answer, in the words of somebody who looked.
 *
 * @param exit how it ended, if it has
 * @param ports that its processes listen on
 * @param port that it was told to listen on
 * @param lastLines that it printed
 */
record StartFailure(
    Exit exit, Health health, Set<Integer> ports, int port, List<String> lastLines, Launch launch) {
  private static final Pattern ERROR =
      Pattern.compile("^\\W*(\\w+\\.)*\\w*(error|exception)\\b.*\\w.*", Pattern.CASE_INSENSITIVE);
  private static final int MAX_LINE_CHARS = 500;

  Failure failure(Patience patience) {
    if (exit.outOfMemory()) {
      return new Failure(
          FailureCode.OUT_OF_MEMORY,
          "The program needed more than the %d MiB of its instance type and was ended; choose a larger instance_type."
              .formatted(launch.limits().memoryMb()));
    }
    return switch (health.verdict()) {
      case ENDED -> new Failure(FailureCode.START_FAILED, ended());
      case TIMED_OUT -> new Failure(FailureCode.HEALTH_CHECK_FAILED, notHealthy(patience.limit()));
      case GIVEN_UP -> new Failure(FailureCode.HEALTH_CHECK_FAILED, notHealthy(patience.faults()));
      case HEALTHY ->
          new Failure(
              FailureCode.HEALTH_CHECK_FAILED,
              "Another program of the host answers on port %d.".formatted(port));
    };
  }

  private String ended() {
    return exit.status() == 0
        ? "The program ended without an error before it answered. A program that serves requests goes on running and listens on the port that PORT names."
        : "The program ended with status %d before it answered on port %d%s"
            .formatted(exit.status(), port, complaint().map(": "::concat).orElse("."));
  }

  /** The line that names the error, as most languages begin it; the last one, as causes follow. */
  private Optional<String> complaint() {
    return lastLines.stream()
        .map(String::strip)
        .filter(line -> ERROR.matcher(line).matches())
        .reduce((_, later) -> later)
        .map(line -> line.substring(0, Math.min(line.length(), MAX_LINE_CHARS)));
  }

  private String notHealthy(Duration waited) {
    Probe last = health.last().orElse(null);
    if (last instanceof Probe.Answered(int status)) {
      return "The program answered GET %s with status %d for %d s; any status below 500 is healthy%s"
          .formatted(
              launch.healthCheckPath(),
              status,
              waited.toSeconds(),
              complaint().map(". It said: "::concat).orElse("."));
    }
    if (!ports.isEmpty() && !ports.contains(port)) {
      return new Sight.Elsewhere(ports, port).sentence()
          + ". Let it take its port from the variable PORT.";
    }
    if (ports.contains(port) && last instanceof Probe.Refused) {
      return new Sight.OtherAddress().sentence() + ". Let it listen on all addresses, 0.0.0.0.";
    }
    return "The program was not healthy after %d s: %s. It must listen on the port that PORT names and answer GET %s with a status below 500."
        .formatted(
            waited.toSeconds(),
            health.last().map(Probe::sentence).orElse("nothing answered"),
            launch.healthCheckPath());
  }
}
