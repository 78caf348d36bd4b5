package dev.slipway.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void rangesFollowEachOtherWithoutAGap() {
    for (int range = 0; range + 1 < Latencies.RANGES; range++) {
      long begin = Math.round(Latencies.beginSeconds(range) * 1e9);
      long end = Math.round(Latencies.beginSeconds(range + 1) * 1e9);
      assertThat(Latencies.range(begin)).isEqualTo(range);
      assertThat(Latencies.range(end - 1)).isEqualTo(range);
      assertThat(end).isGreaterThan(begin);
    }
  }

  @Test
  void whatIsLongerThanAllOfThemIsInTheLast() {
    assertThat(Latencies.range(Long.MAX_VALUE)).isEqualTo(Latencies.RANGES - 1);
    assertThat(Latencies.range(-1)).isZero();
  }

  @Test
  void whatIsReadIsRightWithinAnEighth() {
    for (Duration time :
        new Duration[] {
          Duration.ofMillis(1), Duration.ofMillis(37), Duration.ofSeconds(3), Duration.ofMinutes(10)
        }) {
      Latencies latencies = new Latencies();
      latencies.add(time.toNanos());
      double seconds = time.toNanos() / 1e9;
      assertThat(Latencies.quantileSeconds(latencies.counts(), 0.5))
          .as(time.toString())
          .isCloseTo(seconds, Percentage.withPercentage(12.5));
    }
  }

  @Test
  void oneOfAHundredIsBeyondTheP99() {
    Latencies latencies = new Latencies();
    for (int i = 0; i < 99; i++) {
      latencies.add(Duration.ofMillis(10).toNanos());
    }
    latencies.add(Duration.ofSeconds(5).toNanos());

    assertThat(Latencies.quantileSeconds(latencies.counts(), 0.5)).isCloseTo(0.010, within(0.002));
    assertThat(Latencies.quantileSeconds(latencies.counts(), 0.99)).isLessThan(0.013);
    assertThat(Latencies.quantileSeconds(latencies.counts(), 0.995)).isGreaterThan(4);
  }
}
