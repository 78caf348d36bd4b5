package dev.slipway.tool;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to fetch a tool that need not be repeated for a while. Thread-safe. As applications
 * choose what is attempted, only so many are remembered: of more, those that last longest.
 */
final class VainAttempts {
  static final int MOST = 1_000;

  private static final Duration NO_SUCH_VERSION_FOR = Duration.ofHours(1);

  private final Clock clock;
  private final Map<String, Vain> attempts = new HashMap<>();

  VainAttempts(Clock clock) {
    this.clock = clock;
  }

  private record Vain(Fetched answer, Instant until) {}

  synchronized Optional<Fetched> answer(String attempt) {
    @Nullable Vain earlier = attempts.get(attempt);
    return earlier != null && earlier.until().isAfter(clock.instant())
        ? Optional.of(earlier.answer())
        : Optional.empty();
  }

  synchronized void remember(String attempt, Fetched answer) {
    Instant now = clock.instant();
    switch (answer) {
      case Fetched.Complete _ -> attempts.remove(attempt);
      case Fetched.NoSuchVersion _ ->
          attempts.put(attempt, new Vain(answer, now.plus(NO_SUCH_VERSION_FOR)));
      case Fetched.Unreachable unreachable ->
          attempts.put(attempt, new Vain(answer, now.plus(unreachable.lasting())));
    }
    if (attempts.size() > MOST) {
      attempts.values().removeIf(vain -> !vain.until().isAfter(now));
    }
    if (attempts.size() > MOST) {
      attempts.entrySet().stream()
          .min(Comparator.comparing(entry -> entry.getValue().until()))
          .ifPresent(soonest -> attempts.remove(soonest.getKey()));
    }
  }

  synchronized int size() {
    return attempts.size();
  }
}
