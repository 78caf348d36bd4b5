package dev.slipway.project;

import dev.slipway.core.Failure;
import dev.slipway.core.RestartId;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A restart of what serves a project. A project has one at a time.
 *
 * @param completedAt when it ended, well or not
 * @param failure only of one that failed: what served before still does
 */
public record Restart(
    RestartId id,
    Status status,
    Instant requestedAt,
    Optional<Instant> completedAt,
    Optional<Failure> failure) {
  /** How far a restart has come. */
  public enum Status {
    RUNNING,
    DONE,
    FAILED;

    /** As the API writes it. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public boolean running() {
    return status == Status.RUNNING;
  }
}
