package dev.slipway.webhook;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When what failed is sent again: the pauses that Standard Webhooks recommends, over three days.
 */
final class Retries {
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  static final int ATTEMPTS = PAUSES.size() + 1;

  /** What failed together shall not come back together. */
  private static final double JITTER = 0.1;

  private static final Duration LONGEST_ASKED = Duration.ofHours(24);
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private Retries() {}

  /**
   * When to make the next attempt.
   *
   * @param number of the one that failed
   * @param answer it was given
   * @return empty where that was the last
   */
  static Optional<Instant> next(int number, Optional<Attempt.Answer> answer, Instant now) {
    if (number >= ATTEMPTS) {
      return Optional.empty();
    }
    Duration pause = PAUSES.get(number - 1);
    long jitter = ThreadLocalRandom.current().nextLong(1 + (long) (pause.toMillis() * JITTER));
    Instant planned = now.plus(pause).plusMillis(jitter);
    return Optional.of(
        answer
            .flatMap(it -> asked(it, now))
            .filter(asked -> asked.isAfter(planned))
            .orElse(planned));
  }

  /** When the endpoint asks to be asked again. */
  private static Optional<Instant> asked(Attempt.Answer answer, Instant now) {
    if (answer.status() != TOO_MANY_REQUESTS && answer.status() != UNAVAILABLE) {
      return Optional.empty();
    }
    Instant latest = now.plus(LONGEST_ASKED);
    return Optional.ofNullable(answer.headers().get("retry-after"))
        .flatMap(text -> time(text.strip(), now, latest))
        .map(time -> time.isAfter(latest) ? latest : time);
  }

  private static Optional<Instant> time(String text, Instant now, Instant latest) {
    if (text.matches("\\d+")) {
      return Optional.of(text.length() > 6 ? latest : now.plusSeconds(Long.parseLong(text)));
    }
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException neither) {
      return Optional.empty();
    }
  }
}
