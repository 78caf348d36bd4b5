package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.BUILDING;
import static dev.slipway.deployment.DeploymentStatus.FAILED;
import static dev.slipway.deployment.DeploymentStatus.LIVE;
import static dev.slipway.deployment.DeploymentStatus.QUEUED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Eventually;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.RequestException;
import dev.slipway.project.Project;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runtime.FakeRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Source: API decisions, "Deployment", cancel. */
@Timeout(120)
class CancelTest {
  private Plane plane = new Plane();
  private Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void oneThatWaitsForABuildEndsAndNothingOfItWaitsAnyMore() {
    Deployment queued = plane.trigger(shop);

    Deployment canceled = cancel(queued).deployment();

    assertCanceled(queued);
    assertThat(canceled).isEqualTo(plane.read(queued));
    assertThat(plane.main.jobs.waiting(BuildJob.KIND)).isEmpty();
    plane.main.jobs.runDue();
    assertThat(plane.main.runtime.started()).isEmpty();
  }

  @Test
  void oneWhoseReleaseIsKeptNeverStarts() {
    Deployment serving = plane.deploy(shop);
    Deployment built = plane.built(shop);

    cancel(built);
    plane.main.jobs.runDue();

    assertCanceled(built);
    assertThat(plane.read(shop).liveDeploymentId()).contains(serving.id());
    assertOnlyRuns(serving);
  }

  @Test
  void aRollbackIsCanceledLikewiseAndChangesNothing() {
    Deployment target = plane.deploy(shop);
    Deployment serving = plane.deploy(shop);
    Deployment rollback = plane.rollBack(target).deployment();

    cancel(rollback);

    assertCanceled(rollback);
    assertThat(plane.main.jobs.waiting(ActivateJob.KIND)).isEmpty();
    plane.main.jobs.runDue();
    assertThat(plane.read(serving)).isEqualTo(serving);
    assertThat(plane.read(target)).isEqualTo(target);
    assertOnlyRuns(serving);
    assertThat(plane.deploy(shop).status()).as("the one after it").isEqualTo(LIVE);
  }

  @Test
  void askedForAgainItAnswersTheSame() {
    Deployment queued = plane.trigger(shop);
    DeploymentService.Detail first = cancel(queued);
    plane.clock.advance(Duration.ofMinutes(1));

    assertThat(cancel(queued)).isEqualTo(first);
    assertThat(plane.log(queued.logId())).filteredOn(it -> it.level() == LogLevel.ERROR).hasSize(1);
  }

  @Test
  void whatHasEndedOtherwiseIsAConflictAndStaysAsItWas() {
    Deployment replaced = plane.deploy(shop);
    Deployment rolledBack = plane.deploy(shop);
    Deployment rollback = plane.rolledBackTo(replaced);
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    Deployment failed = plane.deploy(shop);

    for (Deployment ended : List.of(replaced, plane.read(rolledBack), rollback, failed)) {
      RequestException refused = refused(plane.account, ended.id());
      assertThat(refused.code()).isEqualTo(ErrorCode.CONFLICT);
      assertThat(refused.getMessage())
          .contains(ended.id().value())
          .contains(" is " + ended.status().wireName());
      assertThat(plane.read(ended)).isEqualTo(ended);
    }
  }

  @Test
  void onlyTheOwnerCanCancel() {
    Deployment queued = plane.trigger(shop);

    assertThat(refused(plane.addAccount(), queued.id()).code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(refused(plane.account, DeploymentId.next()).code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(plane.read(queued).status()).isEqualTo(QUEUED);
  }

  @Test
  void aProgramThatIsStartingIsEnded() {
    Deployment serving = plane.deploy(shop);
    Deployment built = plane.built(shop);
    plane.main.runtime.duringNextStart(() -> cancel(built));

    plane.main.jobs.runDue();

    assertCanceled(built);
    assertThat(plane.read(shop).liveDeploymentId()).contains(serving.id());
    assertOnlyRuns(serving);
  }

  @Test
  void whatAKilledServerLeftOfACanceledActivationIsEndedByItsJob() {
    Deployment built = plane.built(shop);
    plane.main.runtime.duringNextStart(() -> {
      throw new Killed();
    });
    try {
      plane.main.jobs.run(ActivateJob.KIND, built.id().value());
    } catch (Killed asTold) {
      // nobody cleaned up
    }
    assertThat(plane.count("instance")).isEqualTo(1);

    cancel(built);
    plane.main.jobs.runDue();

    assertThat(plane.count("instance")).isZero();
    assertThat(plane.main.jobs.waiting(ActivateJob.KIND)).isEmpty();
  }

  @Test
  void aBuildIsEndedWithItsProcessesAndDirectory() {
    useRealBuilds();
    endlessBuild();
    Deployment building = plane.trigger(shop);
    CompletableFuture<?> job = runBuild(building);
    Eventually.holds(
        "its step runs",
        () -> plane.log(building.logId()).stream().anyMatch(it -> it.message().equals("begun")));

    assertThat(buildDirectory(building)).isDirectory();
    assertThat(processesNamed(building)).isPositive();

    cancel(building);
    job.orTimeout(60, TimeUnit.SECONDS).join();

    assertCanceled(building);
    assertThat(buildDirectory(building)).doesNotExist();
    assertThat(processesNamed(building)).isZero();
    assertThat(plane.logs.closed(building.logId())).isTrue();
  }

  @Test
  void whatAKilledServerLeftOfACanceledBuildIsClearedAwayByItsJob() throws IOException {
    useRealBuilds();
    Deployment building = plane.trigger(shop);
    plane.database.useTransaction(tx ->
        plane
            .records
            .deployments()
            .begin(tx, building.id(), QUEUED, BUILDING, plane.clock.instant()));
    Path left = Files.createDirectories(buildDirectory(building).resolve("app"));
    Files.writeString(left.resolve("server.js"), "half a copy");
    plane.releases.pack(ReleaseId.of(building.id()), left);

    cancel(building);
    plane.main.jobs.runDue();

    assertCanceled(building);
    assertThat(buildDirectory(building)).doesNotExist();
    assertThat(plane.directory.resolve("releases/manifests")).isEmptyDirectory();
    assertThat(plane.main.jobs.waiting(BuildJob.KIND)).isEmpty();
  }

  private DeploymentService.Detail cancel(Deployment deployment) {
    return plane.main.service().cancel(plane.account, deployment.id());
  }

  private RequestException refused(AccountId account, DeploymentId id) {
    return catchThrowableOfType(
        RequestException.class, () -> plane.main.service().cancel(account, id));
  }

  private void assertCanceled(Deployment deployment) {
    Deployment now = plane.read(deployment);
    assertThat(now.status()).isEqualTo(FAILED);
    assertThat(now.failure()).map(Failure::code).contains(FailureCode.CANCELED);
    assertThat(now.times().ended()).isPresent();
    assertThat(plane.lastLine(now).level()).isEqualTo(LogLevel.ERROR);
    assertThat(plane.lastLine(now).message()).isEqualTo(now.failure().orElseThrow().message());
  }

  private void assertOnlyRuns(Deployment serving) {
    assertThat(plane.main.runtime.running())
        .containsExactlyElementsOf(plane.main.instances.healthy(serving.id()));
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  private void useRealBuilds() {
    plane.close();
    plane = new Plane(new Plane.Settings(10, 100, true));
    shop = plane.project("shop");
  }

  private void endlessBuild() {
    plane.host.write(
        "package.json",
        """
        {"name": "shop", "dependencies": {"express": "file:vendor/express"},
         "scripts": {"build": "node build.js", "start": "node server.js"}}
        """);
    plane.host.write(
        "vendor/express/package.json", "{\"name\": \"express\", \"version\": \"1.0.0\"}");
    plane.host.write("server.js", "require('express');\n");
    plane.host.write("build.js", "console.log('begun'); setInterval(() => {}, 1000);\n");
  }

  private CompletableFuture<?> runBuild(Deployment deployment) {
    return async(() -> plane.main.jobs.run(BuildJob.KIND, deployment.id().value()));
  }

  private Path buildDirectory(Deployment deployment) {
    return plane.directory.resolve("builds").resolve(deployment.id().value());
  }

  private static long processesNamed(Deployment deployment) {
    return ProcessHandle.allProcesses()
        .flatMap(process -> process.info().commandLine().stream())
        .filter(line -> line.contains(deployment.id().value()))
        .count();
  }

  private static CompletableFuture<Void> async(Runnable work) {
    return CompletableFuture.runAsync(work, task -> Thread.ofPlatform().daemon().start(task));
  }

  /** The end of the process: nobody cleans up. */
  private static final class Killed extends Error {
    Killed() {
      super("as told");
    }
  }
}
