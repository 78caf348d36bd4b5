package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CrashCountTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void theFirstIsStartedAgainAtOnceAndEachFurtherOneLater() {
    CrashCount count = CrashCount.NONE;
    Duration before = Duration.ZERO;
    for (int i = 1; i < CrashCount.MANY; i++) {
      count = count.crashed(START.plusSeconds(i), START.plusSeconds(i));
      assertThat(count.pause()).isGreaterThan(before).isLessThanOrEqualTo(Duration.ofMinutes(1));
      assertThat(count.many()).isFalse();
      before = count.pause();
    }

    count = count.crashed(START.plusSeconds(60), START.plusSeconds(70));
    assertThat(count.many()).isTrue();
    assertThat(count.pause()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void thePausesBetweenThemDoNotMakeItForget() {
    CrashCount count = CrashCount.NONE;
    for (int i = 0; i < 20; i++) {
      Instant start = START.plus(Duration.ofMinutes(10L * i));
      count = count.crashed(start, start.plusSeconds(1));
    }

    assertThat(count.quick()).isEqualTo(20);
  }

  @Test
  void whatRanForAWhileBeginsAnew() {
    CrashCount count = new CrashCount(9, START);
    Instant fresh = START.plusSeconds(10);

    assertThat(count.crashed(fresh, fresh.plus(CrashCount.SETTLED)).quick()).isEqualTo(1);
    assertThat(count.crashed(fresh, fresh.plus(CrashCount.SETTLED).minusMillis(1)).quick())
        .isEqualTo(10);
  }

  @Test
  void whatTakesLongToFailAtItsStartHasNotRunForAWhile() {
    CrashCount count = CrashCount.NONE;
    for (int i = 0; i < CrashCount.MANY; i++) {
      Instant begun = START.plus(Duration.ofMinutes(10L * i));
      count = count.notStarted(begun, begun.plus(CrashCount.SETTLED.multipliedBy(2)));
    }

    assertThat(count.many()).isTrue();
  }

  @Test
  void instancesThatEndFromOneCauseCountOnce() {
    Instant end = START.plusSeconds(10);
    CrashCount count = CrashCount.NONE;
    for (int i = 0; i < 5; i++) {
      count = count.crashed(START.plusMillis(i), end.plusMillis(i));
    }

    assertThat(count.quick()).isEqualTo(1);
  }
}
