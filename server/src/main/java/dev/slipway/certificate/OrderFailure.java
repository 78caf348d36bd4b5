package dev.slipway.certificate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeNetworkException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;

/**
 * What became of an order that failed.
 *
 * @param problem a sentence for the user
 * @param pause until the next attempt
 */
record OrderFailure(String problem, Duration pause) {
  // Authorities allow a handful of failures an hour for each name.
  private static final Duration FIRST = Duration.ofMinutes(5);
  private static final Duration LONGEST = Duration.ofHours(12);
  private static final Duration UNREACHABLE = Duration.ofMinutes(1);
  private static final Duration LIMITED = Duration.ofHours(1);
  private static final Duration LONGEST_LIMITED = Duration.ofDays(7);
  private static final int MAX_WORDS = 300;

  /**
   * @param failures before this one
   */
  static OrderFailure refused(String words, int failures) {
    return new OrderFailure(
        "The certificate authority refused: " + shortened(words), doubled(FIRST, failures));
  }

  /**
   * @param failures before this one
   */
  static OrderFailure undecided(int failures) {
    return new OrderFailure(
        "The certificate authority has not decided yet; it is asked again.",
        doubled(UNREACHABLE, failures));
  }

  /**
   * @param failures before this one
   */
  static OrderFailure of(AcmeException failure, int failures, Instant now) {
    String words = shortened(String.valueOf(failure.getMessage()));
    return switch (failure) {
      case AcmeRateLimitedException limited -> {
        Duration wait =
            limited
                .getRetryAfter()
                .map(at -> Duration.between(now, at))
                .filter(Duration::isPositive)
                .orElse(LIMITED);
        yield new OrderFailure(
            "The certificate authority asks to wait: " + words,
            wait.compareTo(LONGEST_LIMITED) < 0 ? wait : LONGEST_LIMITED);
      }
      case AcmeNetworkException _ ->
          new OrderFailure(
              "The certificate authority was not reached; it is tried again.",
              doubled(UNREACHABLE, failures));
      default ->
          new OrderFailure("The certificate authority refused: " + words, doubled(FIRST, failures));
    };
  }

  private static Duration doubled(Duration first, int failures) {
    return Optional.of(first.multipliedBy(1L << Math.min(failures, 20)))
        .filter(pause -> pause.compareTo(LONGEST) < 0)
        .orElse(LONGEST);
  }

  private static String shortened(String words) {
    return words.length() <= MAX_WORDS ? words : words.substring(0, MAX_WORDS) + "…";
  }
}
