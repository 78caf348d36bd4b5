package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.LIVE;
import static dev.slipway.deployment.DeploymentStatus.ROLLED_BACK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.ReleaseId;
import dev.slipway.edge.Route;
import dev.slipway.project.Project;
import dev.slipway.project.Restart;
import dev.slipway.runlog.LogLevel;
import dev.slipway.site.Site;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deployments whose release is files alone. */
class SiteDeploymentTest {
  private final Plane plane = new Plane(new Plane.Settings(2, 100, false));
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aSiteGoesLiveWithoutAProgram() {
    plane.becomesSite(shop);

    Deployment live = plane.deploy(shop);

    assertThat(live.status()).isEqualTo(LIVE);
    assertThat(plane.lastLine(live).level()).isEqualTo(LogLevel.SUCCESS);
    assertThat(plane.read(shop).liveDeploymentId()).contains(live.id());
    assertThat(route().deployment()).isEqualTo(live.id());
    assertThat(route().targets()).isEmpty();
    assertThat(route().site()).contains(site(live));
    assertThat(plane.main.runtime.started()).isEmpty();
    assertThat(plane.count("instance")).isZero();
  }

  @Test
  void whatServedBeforeIsBehindItAndHasAnAddressOfItsOwn() {
    plane.becomesSite(shop);
    Deployment first = plane.deploy(shop);
    Deployment second = plane.deploy(shop);

    assertThat(route().site()).contains(site(second));
    assertThat(route().earlier())
        .containsExactly(
            new Route.Earlier(site(first), plane.clock.instant().plus(Plane.KEEP_ASSETS)));
    Route preview = plane.main.route(first.previewLabel()).orElseThrow();
    assertThat(preview.preview()).isTrue();
    assertThat(preview.site()).contains(site(first));
    assertThat(preview.earlier()).isEmpty();
  }

  @Test
  void aRollbackServesTheSameFilesAgain() {
    plane.becomesSite(shop);
    Deployment first = plane.deploy(shop);
    Deployment second = plane.deploy(shop);

    Deployment rollback = plane.rolledBackTo(first);

    assertThat(rollback.status()).isEqualTo(LIVE);
    assertThat(plane.read(second).status()).isEqualTo(ROLLED_BACK);
    assertThat(route().deployment()).isEqualTo(rollback.id());
    assertThat(route().site()).contains(site(first));
    assertThat(route().earlier()).extracting(Route.Earlier::files).containsExactly(site(second));
  }

  @Test
  void aReleaseThatIsNotKeptIsLookedForNoMore() {
    plane.becomesSite(shop);
    Deployment first = plane.deploy(shop);
    Deployment second = plane.deploy(shop);
    Deployment third = plane.deploy(shop);

    assertThat(route().site()).contains(site(third));
    assertThat(route().earlier()).extracting(Route.Earlier::files).containsExactly(site(second));
    assertThat(plane.main.route(first.previewLabel())).isEmpty();
  }

  @Test
  void aProgramThatASiteReplacesIsEndedAndServesAgainAfterARollback() {
    Deployment program = plane.deploy(shop);
    plane.becomesSite(shop);

    Deployment live = plane.deploy(shop);
    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(route().site()).contains(site(live));

    plane.rolledBackTo(program);
    assertThat(plane.main.runtime.running()).hasSize(1);
    assertThat(route().site()).isEmpty();
    assertThat(route().earlier()).extracting(Route.Earlier::files).containsExactly(site(live));
    assertThat(route().targets()).hasSize(1);
  }

  @Test
  void aNewerDeploymentThatIsLiveSupersedesIt() {
    plane.becomesSite(shop);
    Deployment older = plane.built(shop);
    Deployment newer = plane.built(shop);

    plane.main.jobs.run(ActivateJob.KIND, newer.id().value());
    plane.main.jobs.run(ActivateJob.KIND, older.id().value());

    assertThat(plane.read(older).status()).isEqualTo(DeploymentStatus.FAILED);
    assertThat(route().deployment()).isEqualTo(newer.id());
  }

  @Test
  void itsRestartIsDoneAtOnce() {
    plane.becomesSite(shop);
    plane.deploy(shop);

    Project restarted = plane.main.deployments.restarts().restart(plane.account, shop.id());

    Restart restart = restarted.restart().orElseThrow();
    assertThat(restart.status()).isEqualTo(Restart.Status.DONE);
    assertThat(restart.completedAt()).contains(plane.clock.instant());
    assertThat(plane.main.jobs.waiting(RestartJob.KIND)).isEmpty();
  }

  @Test
  void itPrintsNothingAndNeverWill() {
    plane.becomesSite(shop);
    Deployment live = plane.deploy(shop);

    ProgramLog log =
        plane.main.service().programLog(plane.account, live.id(), ProgramPlaces.begin());

    assertThat(log.next(10)).isEmpty();
    assertThat(log.mayGrow()).isFalse();
  }

  @Test
  void aServerThatComesUpStartsNothingForIt() {
    plane.becomesSite(shop);
    Deployment live = plane.deploy(shop);
    Plane.Worker other = plane.worker("other");

    other.deployments.recover();

    assertThat(other.route("shop").map(Route::deployment)).contains(live.id());
    other.deployments.upkeep().close(); // what it had begun to start has ended by now
    assertThat(other.runtime.started()).isEmpty();
    assertThat(plane.count("instance")).isZero();
  }

  private Route route() {
    return plane.main.route("shop").orElseThrow();
  }

  private static Site site(Deployment deployment) {
    ReleaseId release = deployment.releaseId().orElseThrow();
    return new Site(release, "", Optional.of("index.html"), false);
  }
}
