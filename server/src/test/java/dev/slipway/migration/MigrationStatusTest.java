package dev.slipway.migration;

import static dev.slipway.migration.MigrationStatus.COMPLETE;
import static dev.slipway.migration.MigrationStatus.FAILED;
import static dev.slipway.migration.MigrationStatus.PENDING;
import static dev.slipway.migration.MigrationStatus.PROCESSING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MigrationStatusTest {
  private static final Map<MigrationStatus, Set<MigrationStatus>> MOVES =
      Map.of(
          PENDING, Set.of(PROCESSING, FAILED),
          PROCESSING, Set.of(COMPLETE, FAILED),
          COMPLETE, Set.of(),
          FAILED, Set.of());

  @Test
  void everyPairOfStatesMovesAsTheTableSays() {
    for (MigrationStatus from : MigrationStatus.values()) {
      for (MigrationStatus to : MigrationStatus.values()) {
        assertThat(from.next().contains(to))
            .as("%s to %s", from, to)
            .isEqualTo(MOVES.getOrDefault(from, Set.of()).contains(to));
      }
    }
  }

  @Test
  void theNamesAreThoseOfTheApi() {
    assertThat(MigrationStatus.values())
        .extracting(MigrationStatus::wireName)
        .containsExactly("pending", "processing", "complete", "failed");
    assertThat(MigrationStatus.ofWireName("complete")).contains(COMPLETE);
    assertThat(MigrationStatus.ofWireName("completed")).isEmpty();
  }
}
