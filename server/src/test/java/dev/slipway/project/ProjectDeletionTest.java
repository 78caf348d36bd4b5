package dev.slipway.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.deployment.DeploymentStore;
import dev.slipway.deployment.Plane;
import dev.slipway.migration.Migration;
import dev.slipway.migration.MigrationService;
import dev.slipway.migration.MigrationStatus;
import dev.slipway.source.RepoName;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProjectDeletionTest {
  private final Plane plane = new Plane(new Plane.Settings(10, 1, false));

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void itsAddressesAreGoneAtOnceAndItsProgramsSoonAfter() {
    Project project = plane.project("shop");
    Deployment first = plane.deploy(project);
    Deployment second = plane.deploy(project);
    plane.main.wake(first.id()).join();

    delete(project);

    assertThat(plane.main.route("shop")).isEmpty();
    assertThat(plane.main.route(first.previewLabel())).isEmpty();
    assertThat(plane.main.route(second.previewLabel())).isEmpty();
    plane.main.jobs.runDue();
    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(plane.count("instance")).isZero();
    assertThat(plane.count("release WHERE pruned_at IS NULL")).isZero();
    // Files bear the time of the host, not the test's.
    plane.clock.advance(Duration.ofDays(3_650));
    plane.main.jobs.runDue();
    assertThat(plane.releases.exists(first.releaseId().orElseThrow())).isFalse();
  }

  @Test
  void itIsUnknownFromThenOn() {
    Project project = plane.project("shop");
    Deployment live = plane.deploy(project);
    delete(project);

    assertNotFound(() -> service().get(plane.account, project.id()));
    assertNotFound(() -> plane.trigger(project));
    assertNotFound(() -> plane.rollBack(live));
    assertNotFound(() -> service().env(plane.account, project.id()));
    assertNotFound(() -> plane.main.deployments.restarts().restart(plane.account, project.id()));
    assertNotFound(() -> delete(project));
    assertThat(service().list(plane.account, Optional.empty(), 10)).isEmpty();
  }

  @Test
  void itsNameAndAddressAreFree() {
    Project gone = plane.project("shop");
    plane.deploy(gone);
    delete(gone);
    Project fresh = plane.project("shop");
    plane.deploy(fresh);

    assertThat(fresh.label()).isEqualTo("shop");
    assertThat(plane.main.route("shop").orElseThrow().project()).isEqualTo(fresh.id());
    assertThat(plane.main.runtime.running()).hasSize(1);
  }

  /** Somebody's domain may still lead to it. */
  @Test
  void itsAddressIsNotGivenToAnotherAccount() {
    delete(plane.project("shop"));
    Project others =
        Project.create(
            plane.addAccount(),
            "shop",
            "shop",
            plane.host.kind(),
            Optional.of(new RepoName("acme/shop")),
            Optional.empty(),
            Plane.REGION,
            Settings.of("main", Plane.INSTANCE_TYPE),
            plane.clock.instant());

    boolean inserted =
        plane.database.inTransaction(
            tx -> new ProjectStore(plane.vault).insert(tx, others, EnvVars.NONE));

    assertThat(inserted).isFalse();
  }

  @Test
  void whatIsUnderWayIsCanceled() {
    Migration migration = migrate("acme/shop");
    Deployment queued = first(migration);
    delete(project(migration));

    Deployment canceled = plane.read(queued);
    assertThat(canceled.status()).isEqualTo(DeploymentStatus.FAILED);
    assertThat(canceled.failure()).map(Failure::code).contains(FailureCode.CANCELED);
    Migration failed = read(migration).migration();
    assertThat(failed.status()).isEqualTo(MigrationStatus.FAILED);
    assertThat(failed.failure()).map(Failure::code).contains(FailureCode.CANCELED);
    plane.main.jobs.runDue();
    assertThat(plane.read(queued).status()).isEqualTo(DeploymentStatus.FAILED);
    assertThat(plane.main.runtime.started()).isEmpty();
  }

  @Test
  void aMigrationThatWaitsForASlotNeverStartsAndTheNextOneDoes() {
    Migration running = migrate("acme/a");
    Migration waiting = migrate("acme/b");
    Migration next = migrate("acme/c");
    delete(project(waiting));
    assertThat(read(waiting).migration().status()).isEqualTo(MigrationStatus.FAILED);
    assertThat(plane.log(waiting.logId()).getLast().message()).contains("deleted");

    delete(project(running));

    assertThat(read(next).migration().status()).isEqualTo(MigrationStatus.PROCESSING);
    plane.main.jobs.runDue();
    assertThat(read(next).migration().status()).isEqualTo(MigrationStatus.COMPLETE);
    assertThat(plane.count("deployment")).isEqualTo(2);
  }

  @Test
  void oneThatIsBeingStartedIsEnded() {
    Project project = plane.project("shop");
    Deployment built = plane.built(project);
    plane.main.runtime.duringNextStart(() -> delete(project));
    plane.main.jobs.runDue();

    assertThat(plane.read(built).failure()).map(Failure::code).contains(FailureCode.CANCELED);
    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(plane.count("instance")).isZero();
  }

  @Test
  void aPreviewThatIsBeingWokenIsEnded() {
    Project project = plane.project("shop");
    Deployment first = plane.deploy(project);
    plane.deploy(project);
    plane.main.runtime.duringNextStart(() -> delete(project));

    assertThat(plane.main.wake(first.id()).handle((target, failure) -> failure).join()).isNotNull();
    plane.main.jobs.runDue();
    assertThat(plane.main.runtime.running()).isEmpty();
  }

  @Test
  void aRestartUnderWayEndsWithIt() {
    Project project = plane.project("shop");
    plane.deploy(project);
    plane.main.deployments.restarts().restart(plane.account, project.id());
    plane.main.runtime.duringNextStart(() -> delete(project));
    plane.main.jobs.runDue();

    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(plane.count("instance")).isZero();
  }

  @Test
  void killedBeforeItsProgramsWereEndedTheNextStartEndsThem() {
    Project project = plane.project("shop");
    plane.deploy(project);
    delete(project);

    plane.main.deployments.recover();
    plane.main.jobs.runDue();

    assertThat(plane.main.route("shop")).isEmpty();
    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(plane.count("release WHERE pruned_at IS NULL")).isZero();
  }

  @Test
  void itsHistoryIsReadableForThirtyDaysAndThenForgotten() {
    Migration migration = migrate("acme/shop");
    Project project = project(migration);
    plane.main.jobs.runDue();
    Deployment live = plane.deploy(project);
    Project other = plane.project("other");
    plane.deploy(other);
    delete(project);
    plane.main.jobs.runDue();

    plane.clock.advance(Duration.ofDays(30).minusSeconds(1));
    plane.main.jobs.runDue();
    assertThat(plane.main.service().get(plane.account, live.id()).current()).isFalse();
    assertThat(plane.main.service().get(plane.account, live.id()).previewUrl()).isEmpty();
    assertThat(read(migration).migration().status()).isEqualTo(MigrationStatus.COMPLETE);
    assertThat(plane.log(live.logId())).isNotEmpty();
    assertThat(
            plane
                .main
                .service()
                .list(
                    new DeploymentStore.Filter(
                        plane.account, Optional.of(project.id()), Optional.empty()),
                    Optional.empty(),
                    10))
        .hasSize(2);

    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.jobs.runDue();
    for (String table : new String[] {"project", "deployment", "release", "run_log", "instance"}) {
      assertThat(plane.count(table)).as(table).isEqualTo(1);
    }
    assertThat(plane.count("migration")).isZero();
    assertThat(plane.log(live.logId())).isEmpty();
    assertThat(plane.main.route("other")).isPresent();
  }

  private void delete(Project project) {
    service().delete(plane.account, project.id(), false);
  }

  private ProjectService service() {
    return plane.main.projects;
  }

  private Migration migrate(String repo) {
    return plane.main.migrations.create(
        plane.account,
        new MigrationService.Request(
            "github",
            Optional.of(new RepoName(repo)),
            Optional.empty(),
            EnvVars.NONE,
            Optional.empty(),
            Optional.empty(),
            Plane.REGION,
            Optional.empty(),
            Settings.of("main", Plane.INSTANCE_TYPE)),
        Optional.empty());
  }

  private MigrationService.Detail read(Migration migration) {
    return plane.main.migrations.get(plane.account, migration.id());
  }

  private Project project(Migration migration) {
    return read(migration).project();
  }

  private Deployment first(Migration migration) {
    return read(migration).deployment().orElseThrow();
  }

  private static void assertNotFound(ThrowingCallable request) {
    assertThat(catchThrowableOfType(RequestException.class, request).code())
        .isEqualTo(ErrorCode.NOT_FOUND);
  }
}
