package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.BUILDING;
import static dev.slipway.deployment.DeploymentStatus.DEPLOYING;
import static dev.slipway.deployment.DeploymentStatus.FAILED;
import static dev.slipway.deployment.DeploymentStatus.LIVE;
import static dev.slipway.deployment.DeploymentStatus.QUEUED;
import static dev.slipway.deployment.DeploymentStatus.ROLLED_BACK;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeploymentStatusTest {
  /** Source: API description, "States and transitions", and API decisions, "Deployment". */
  private static final Map<DeploymentStatus, Set<DeploymentStatus>> MOVES =
      Map.of(
          QUEUED, Set.of(BUILDING, DEPLOYING, FAILED),
          BUILDING, Set.of(DEPLOYING, FAILED),
          DEPLOYING, Set.of(LIVE, FAILED),
          LIVE, Set.of(ROLLED_BACK),
          FAILED, Set.of(),
          ROLLED_BACK, Set.of());

  @Test
  void everyPairOfStatesMovesAsTheTableSays() {
    for (DeploymentStatus from : DeploymentStatus.values()) {
      for (DeploymentStatus to : DeploymentStatus.values()) {
        assertThat(from.next().contains(to))
            .as("%s to %s", from, to)
            .isEqualTo(MOVES.getOrDefault(from, Set.of()).contains(to));
      }
    }
  }

  @Test
  void aStateIsEitherUnfinishedOrServedOrFailed() {
    for (DeploymentStatus status : DeploymentStatus.values()) {
      assertThat(status.unfinished())
          .as("%s", status)
          .isEqualTo(Set.of(QUEUED, BUILDING, DEPLOYING).contains(status));
      assertThat(status.served())
          .as("%s", status)
          .isEqualTo(Set.of(LIVE, ROLLED_BACK).contains(status));
    }
  }

  @Test
  void theNamesAreThoseOfTheApi() {
    assertThat(DeploymentStatus.values())
        .extracting(DeploymentStatus::wireName)
        .containsExactly("queued", "building", "deploying", "live", "failed", "rolled_back");
    assertThat(DeploymentStatus.ofWireName("rolled_back")).contains(ROLLED_BACK);
    assertThat(DeploymentStatus.ofWireName("ROLLED_BACK")).isEmpty();
  }
}
