package dev.slipway.instance;

import dev.slipway.core.DeploymentId;
import dev.slipway.runtime.Exit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * An instance that took requests ended by itself.
 *
 * @param startedAt when its start was begun
 * @param lastLines that the program printed; not masked
 */
public record Crash(
    DeploymentId deployment, Exit exit, Instant startedAt, Instant at, List<String> lastLines) {
  public Crash {
    lastLines = List.copyOf(lastLines);
  }

  public Duration lasted() {
    return Duration.between(startedAt, at);
  }
}
