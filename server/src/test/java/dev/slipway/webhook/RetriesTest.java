package dev.slipway.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private static final Instant NOW = Instant.parse("2026-11-21T09:30:00Z");

  @Test
  void pausesGrowOverThreeDays() {
    List<Duration> pauses =
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
    for (int number = 1; number <= pauses.size(); number++) {
      Duration pause = pauses.get(number - 1);
      assertThat(Duration.between(NOW, next(number, 500, "").orElseThrow()))
          .isBetween(pause, pause.plus(pause.dividedBy(10)));
    }
    assertThat(next(10, 500, "")).isEmpty();
  }

  @Test
  void whatFailedTogetherDoesNotComeBackTogether() {
    assertThat(
            java.util.stream.IntStream.range(0, 50)
                .mapToObj(_ -> next(6, 500, "").orElseThrow())
                .distinct())
        .hasSizeGreaterThan(40);
  }

  @Test
  void anEndpointMaySayWhenItWantsToBeAskedAgain() {
    assertThat(next(1, 429, "120")).contains(NOW.plusSeconds(120));
    assertThat(next(1, 503, "Sat, 21 Nov 2026 10:30:00 GMT")).contains(NOW.plusSeconds(3600));
    assertThat(next(1, 500, "120").orElseThrow()).isBefore(NOW.plusSeconds(6));
  }

  @Test
  void itWaitsAtLeastAsLongAsPlannedAndADayAtMost() {
    assertThat(next(4, 503, "1").orElseThrow()).isAfterOrEqualTo(NOW.plus(Duration.ofHours(2)));
    assertThat(next(1, 503, "9999999999999999999")).contains(NOW.plus(Duration.ofHours(24)));
    assertThat(next(1, 503, "604800")).contains(NOW.plus(Duration.ofHours(24)));
    assertThat(next(1, 503, "Sat, 21 Nov 2099 10:30:00 GMT"))
        .contains(NOW.plus(Duration.ofHours(24)));
    for (String nonsense : List.of("soon", "-5", "", "1.5", "Sat, 21 Nov 1999 10:30:00 GMT")) {
      assertThat(next(1, 503, nonsense).orElseThrow()).as(nonsense).isBefore(NOW.plusSeconds(6));
    }
  }

  private static Optional<Instant> next(int number, int status, String retryAfter) {
    return Retries.next(
        number,
        Optional.of(new Attempt.Answer(status, Map.of("retry-after", retryAfter), "")),
        NOW);
  }
}
