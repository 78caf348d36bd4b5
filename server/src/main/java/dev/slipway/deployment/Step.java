package dev.slipway.deployment;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A part of a deployment's work, the last time that it was done.
 *
 * @param endedAt absent while it runs, and where it was cut off
 */
public record Step(String name, Instant startedAt, Optional<Instant> endedAt, Outcome outcome) {
  /** How it ended, if it has. */
  public enum Outcome {
    RUNNING,
    SUCCEEDED,
    FAILED,
    /** Its deployment ended before it did, or whoever did it. */
    CUT_OFF;

    /** As the API writes it, for example {@code cut_off}. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
