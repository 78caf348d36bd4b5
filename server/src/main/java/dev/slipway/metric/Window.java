package dev.slipway.metric;

import dev.slipway.core.ProjectId;
import java.time.Duration;
import java.time.Instant;

/**
 * One project's requests in a stretch of time, as one edge counted them.
 *
 * @param mostInFlight at one of the moments at which it was looked
 */
record Window(Place place, Totals totals, long mostInFlight) {
  /** Which stretch of whose time. */
  record Place(ProjectId project, Step step, Instant at) {
    boolean isOver(Instant now) {
      return !now.isBefore(at.plus(step.length()));
    }
  }

  /** How long the stretches are that are kept, and for how long. */
  enum Step {
    MINUTE(Duration.ofMinutes(1), Duration.ofHours(24)),
    HOUR(Duration.ofHours(1), Duration.ofDays(30));

    private final Duration length;
    private final Duration kept;

    Step(Duration length, Duration kept) {
      this.length = length;
      this.kept = kept;
    }

    Duration length() {
      return length;
    }

    Duration kept() {
      return kept;
    }

    int seconds() {
      return Math.toIntExact(length.toSeconds());
    }

    /** The beginning of the stretch that a moment is in. */
    Instant begin(Instant moment) {
      return Instant.ofEpochSecond(
          Math.floorDiv(moment.getEpochSecond(), length.toSeconds()) * length.toSeconds());
    }
  }

  Window plus(Totals more, long inFlight) {
    return new Window(place, totals.plus(more), Math.max(mostInFlight, inFlight));
  }
}
