package dev.slipway.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.domain.DomainState.Status;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DomainStateTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Finding HERE = new Finding.Here();
  private static final Finding ELSEWHERE = new Finding.Elsewhere("It points to 192.0.2.1.");
  private static final Finding UNKNOWN = new Finding.Unknown("DNS did not answer.");

  @Test
  void aDomainThatPointsHereIsActiveWithoutAProblem() {
    DomainState active = DomainState.added(NOW).after(HERE, NOW);

    assertThat(active.status()).isEqualTo(Status.ACTIVE);
    assertThat(active.problem()).isEmpty();
  }

  @Test
  void aDomainThatNeverPointedHereFailsAfterThreeDays() {
    DomainState added = DomainState.added(NOW);

    DomainState waiting = added.after(ELSEWHERE, NOW.plus(DomainState.GRACE).minusSeconds(1));
    assertThat(waiting.status()).isEqualTo(Status.PENDING);
    assertThat(waiting.problem()).contains("It points to 192.0.2.1.");
    assertThat(waiting.after(ELSEWHERE, NOW.plus(DomainState.GRACE)).status())
        .isEqualTo(Status.FAILED);
  }

  @Test
  void anActiveOneIsServedForThreeDaysMoreAndSaysWhatIsWrong() {
    DomainState active = DomainState.added(NOW).after(HERE, NOW);

    DomainState wrong = active.after(ELSEWHERE, NOW.plusSeconds(60));
    assertThat(wrong.isServed()).isTrue();
    assertThat(wrong.problem()).contains("It points to 192.0.2.1.");
    Instant over = NOW.plusSeconds(60).plus(DomainState.GRACE);
    assertThat(wrong.after(ELSEWHERE, over.minusSeconds(1)).isServed()).isTrue();
    assertThat(wrong.after(HERE, over).after(ELSEWHERE, over).isServed()).isTrue();
    assertThat(wrong.after(ELSEWHERE, over).status()).isEqualTo(Status.FAILED);
  }

  @Test
  void dnsThatDoesNotAnswerChangesNothingButTheSentence() {
    DomainState active = DomainState.added(NOW).after(HERE, NOW);

    DomainState later = active.after(UNKNOWN, NOW.plus(DomainState.GRACE.multipliedBy(9)));
    assertThat(later.isServed()).isTrue();
    assertThat(later.wrongSince()).isEmpty();
    assertThat(later.problem()).contains("DNS did not answer.");
  }

  @Test
  void oneThatFailedIsServedAgainWhenItPointsHere() {
    DomainState failed = DomainState.added(NOW).after(ELSEWHERE, NOW.plus(DomainState.GRACE));

    assertThat(failed.after(ELSEWHERE, NOW.plusSeconds(1)).status()).isEqualTo(Status.FAILED);
    assertThat(failed.after(HERE, NOW.plusSeconds(1)).status()).isEqualTo(Status.ACTIVE);
  }
}
