package dev.slipway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  @Test
  void aMisspeltNameFindsTheOneThatWasMeant() {
    assertThat(Nearest.to("prot", List.of("host", "port"))).contains("port");
    assertThat(Nearest.to("instance_type", List.of("instance_types", "regions")))
        .contains("instance_types");
  }

  @Test
  void aNameLikeNoOtherFindsNone() {
    assertThat(Nearest.to("kubernetes", List.of("host", "port"))).isEmpty();
    assertThat(Nearest.to("x", List.of())).isEmpty();
  }

  @Test
  void theDistanceCountsChangedLetters() {
    assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(Nearest.distance("same", "same")).isZero();
  }
}
