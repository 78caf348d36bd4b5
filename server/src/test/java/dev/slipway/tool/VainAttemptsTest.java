package dev.slipway.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class VainAttemptsTest {
  private static final Fetched NONE = new Fetched.NoSuchVersion();

  private final TestClock clock = new TestClock();
  private final VainAttempts attempts = new VainAttempts(clock);

  @Test
  void anAnswerHoldsForItsTime() {
    attempts.remember("node@=99.0.0", NONE);
    attempts.remember("python@=3.14.0", new Fetched.Unreachable("dns", Duration.ofMinutes(2)));

    clock.advance(Duration.ofMinutes(1));
    assertThat(attempts.answer("node@=99.0.0")).contains(NONE);
    assertThat(attempts.answer("python@=3.14.0")).isPresent();

    clock.advance(Duration.ofMinutes(1));
    assertThat(attempts.answer("node@=99.0.0")).contains(NONE);
    assertThat(attempts.answer("python@=3.14.0")).isEmpty();
  }

  @Test
  void aSuccessEndsIt() {
    attempts.remember("node@=99.0.0", NONE);

    attempts.remember(
        "node@=99.0.0",
        new Fetched.Complete(Version.release(99, 0, 0), Path.of("tree"), List.of()));

    assertThat(attempts.answer("node@=99.0.0")).isEmpty();
  }

  @Test
  void asManyAsSomebodyLikesTakeNoMoreMemory() {
    attempts.remember("the first", NONE);
    clock.advance(Duration.ofSeconds(1));
    for (int i = 0; i < VainAttempts.MOST; i++) {
      attempts.remember("node@=99.0." + i, NONE);
    }

    assertThat(attempts.size()).isEqualTo(VainAttempts.MOST);
    assertThat(attempts.answer("the first")).isEmpty();
    assertThat(attempts.answer("node@=99.0.999")).isPresent();
  }
}
