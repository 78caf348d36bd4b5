package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.ReleaseId;
import dev.slipway.db.FileHold;
import dev.slipway.edge.Route;
import dev.slipway.project.Project;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Source: API decisions, "Deployment", retention. */
class PruneTest {
  private Plane plane = new Plane(new Plane.Settings(2, 100, false));
  private Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void theReleasesThatServedLastAreKept() {
    Deployment one = plane.deploy(shop);
    Deployment two = plane.deploy(shop);
    Deployment three = plane.deploy(shop);

    assertThat(kept()).containsExactlyInAnyOrder(releaseOf(two), releaseOf(three));
    assertThat(plane.main.route(one.previewLabel())).isEmpty();
    assertThat(plane.main.route(two.previewLabel())).isPresent();
  }

  @Test
  void aReleaseThatServedAgainCountsFromThen() {
    Deployment one = plane.deploy(shop);
    Deployment two = plane.deploy(shop);
    plane.rolledBackTo(one);
    Deployment three = plane.deploy(shop);

    assertThat(kept()).containsExactlyInAnyOrder(releaseOf(one), releaseOf(three));
    assertThat(plane.read(two).releaseId()).isPresent();
  }

  @Test
  void aRollbackMakesNoReleaseOfItsOwn() {
    Deployment one = plane.deploy(shop);
    Deployment two = plane.deploy(shop);
    plane.rolledBackTo(one);
    plane.rolledBackTo(two);
    plane.rolledBackTo(one);

    assertThat(kept()).containsExactlyInAnyOrder(releaseOf(one), releaseOf(two));
  }

  @Test
  void theReleaseOfAnUnfinishedDeploymentIsKeptHoweverOld() {
    Deployment one = plane.deploy(shop);
    plane.deploy(shop);
    Deployment rollback = plane.rollBack(one).deployment();
    for (int i = 0; i < 3; i++) {
      Deployment later = plane.built(shop);
      plane.database.useTransaction(tx ->
          plane
              .records
              .releases()
              .served(tx, later.releaseId().orElseThrow(), plane.clock.instant()));
    }
    plane.main.jobs.run(PruneJob.KIND, shop.id().value());

    assertThat(kept()).contains(releaseOf(rollback));
  }

  @Test
  void otherProjectsLoseNothing() {
    Deployment blog = plane.deploy(plane.project("blog"));
    plane.deploy(shop);
    plane.deploy(shop);
    plane.deploy(shop);

    assertThat(kept()).hasSize(3).contains(releaseOf(blog));
  }

  @Test
  void thePreviewOfAPrunedReleaseStopsRunning() {
    Deployment one = plane.deploy(shop);
    plane.deploy(shop);
    plane.main.wake(one.id()).join();
    assertThat(plane.main.runtime.running()).hasSize(2);

    plane.deploy(shop);

    assertThat(plane.main.runtime.running()).hasSize(1);
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void theFilesGoWithTheReleaseOnceTheyAreADayOld() {
    Deployment one = plane.deploy(shop);
    plane.deploy(shop);
    assertThat(plane.releases.exists(releaseOf(one))).isTrue();

    // Files bear the time of the host, not the test's.
    plane.clock.advance(Duration.ofDays(3_650));
    plane.deploy(shop);

    assertThat(plane.releases.exists(releaseOf(one))).isFalse();
  }

  @Test
  void nothingIsPrunedWhileABackupCopiesIt() {
    Deployment one = plane.deploy(shop);
    plane.deploy(shop);
    plane.clock.advance(Duration.ofDays(3_650));

    try (FileHold _ = FileHold.acquire(plane.database.address())) {
      plane.deploy(shop);
      assertThat(kept()).contains(releaseOf(one));
    }
    plane.main.jobs.run(PruneJob.KIND, shop.id().value());

    assertThat(kept()).doesNotContain(releaseOf(one));
    assertThat(plane.releases.exists(releaseOf(one))).isFalse();
  }

  @Test
  void whateverIsConfiguredTheOneBeforeStays() {
    plane.close();
    plane = new Plane(new Plane.Settings(1, 100, false));
    shop = plane.project("shop");
    plane.deploy(shop);
    Deployment before = plane.deploy(shop);
    Deployment serving = plane.deploy(shop);

    assertThat(kept()).containsExactlyInAnyOrder(releaseOf(before), releaseOf(serving));
    assertThat(plane.main.route(shop.label())).map(Route::deployment).contains(serving.id());
  }

  private Set<ReleaseId> kept() {
    return plane.database.read(plane.records.releases()::allKept);
  }

  private static ReleaseId releaseOf(Deployment deployment) {
    return deployment.releaseId().orElseThrow();
  }
}
