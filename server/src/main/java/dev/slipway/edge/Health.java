package dev.slipway.edge;

import java.time.Duration;
import java.util.Optional;

/**
 * What a {@link HealthCheck} found.
 *
 * @param after from the begin of the check
 * @param tries how often it was tried
 * @param last the newest try that came to something
 */
public record Health(Verdict verdict, Duration after, int tries, Optional<Probe> last) {
  public enum Verdict {
    /** It answered with a status below 500. */
    HEALTHY,
    /** The time was over first. */
    TIMED_OUT,
    /** The program ended first. */
    ENDED,
    /** Whoever asked has seen enough. */
    GIVEN_UP
  }

  public boolean healthy() {
    return verdict == Verdict.HEALTHY;
  }
}
