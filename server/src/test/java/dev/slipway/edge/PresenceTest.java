package dev.slipway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.EdgeId;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PresenceTest {
  private final EdgeId here = EdgeId.next();
  private final EdgeId silent = EdgeId.next();
  private final Presence presence = new Presence();
  private long beat;

  @Test
  void whoIsSilentForLongIsGone() {
    presence.look(beats());
    for (int i = 1; i < Presence.LOOKS; i++) {
      assertThat(presence.look(beats())).isEmpty();
    }

    assertThat(presence.look(beats())).containsExactly(silent);
  }

  @Test
  void whileTheStoreIsAwayNobodyIsTakenForGone() {
    for (int i = 0; i < Presence.LOOKS; i++) {
      presence.look(beats());
    }

    presence.storeWasAway();

    for (int i = 0; i < Presence.LOOKS; i++) {
      assertThat(presence.look(beats())).isEmpty();
    }
    assertThat(presence.look(beats())).containsExactly(silent);
  }

  @Test
  void whoCanShowHimselfHasDoneSoWhenTheStoreWasThereForLong() {
    for (int i = 0; i < Presence.LOOKS; i++) {
      assertThat(presence.settled()).isFalse();
      presence.look(Map.of());
    }
    assertThat(presence.settled()).isTrue();

    presence.storeWasAway();

    assertThat(presence.settled()).isFalse();
  }

  @Test
  void whoHasLeftIsForgotten() {
    presence.look(Map.of(silent, 1L));
    presence.look(Map.of());
    for (int i = 0; i < Presence.LOOKS; i++) {
      assertThat(presence.look(Map.of(silent, 1L))).isEqualTo(Set.of());
    }
  }

  private Map<EdgeId, Long> beats() {
    return Map.of(here, ++beat, silent, 7L);
  }
}
