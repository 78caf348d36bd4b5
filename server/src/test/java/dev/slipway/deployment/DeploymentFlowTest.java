package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.BUILDING;
import static dev.slipway.deployment.DeploymentStatus.DEPLOYING;
import static dev.slipway.deployment.DeploymentStatus.FAILED;
import static dev.slipway.deployment.DeploymentStatus.LIVE;
import static dev.slipway.deployment.DeploymentStatus.QUEUED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Eventually;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.core.ReleaseId;
import dev.slipway.edge.Route;
import dev.slipway.edge.Target;
import dev.slipway.project.Project;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runtime.FakeRuntime;
import dev.slipway.runtime.InstanceSpec;
import dev.slipway.source.FakeSourceHost;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeploymentFlowTest {
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aDeploymentGoesFromQueuedToLiveAndServes() throws IOException {
    Deployment queued = plane.trigger(shop);
    assertThat(queued.status()).isEqualTo(QUEUED);
    assertThat(plane.read(queued)).isEqualTo(queued);

    plane.main.jobs.run(BuildJob.KIND, queued.id().value());
    Deployment built = plane.read(queued);
    assertThat(built.status()).isEqualTo(DEPLOYING);
    assertThat(built.code().commit()).contains(FakeSourceHost.HEAD);
    assertThat(plane.read(shop).liveDeploymentId()).isEmpty();

    plane.main.jobs.runDue();
    Deployment live = plane.read(queued);
    assertThat(live.status()).isEqualTo(LIVE);
    assertThat(live.times().live()).contains(plane.clock.instant());
    assertThat(plane.read(shop).liveDeploymentId()).contains(live.id());
    assertThat(answerOf(shop.label())).isEqualTo("hello");
    assertThat(answerOf(live.previewLabel())).isEqualTo("hello");
    assertThat(plane.lastLine(live).level()).isEqualTo(LogLevel.SUCCESS);
    assertThat(plane.lastLine(live).message()).isEqualTo("Live at http://shop.localhost:8080");
    assertThat(plane.logs.closed(live.logId())).isTrue();
  }

  @Test
  void theNextDeploymentReplacesTheOneThatServesWhichStaysLive() {
    Deployment first = plane.deploy(shop);
    Deployment second = plane.deploy(shop);

    assertThat(plane.read(first).status()).isEqualTo(LIVE);
    assertThat(servingOf(shop)).contains(second.id().value());
    assertThat(plane.main.instances.healthy(first.id())).isEmpty();
    assertThat(plane.main.runtime.running())
        .containsExactlyElementsOf(plane.main.instances.healthy(second.id()));
    assertThat(plane.main.route(first.previewLabel())).map(Route::targets).contains(List.of());
  }

  @Test
  void theReplacedOneServesUntilTheVeryMomentOfTheMove() {
    Deployment first = plane.deploy(shop);
    plane.main.runtime.duringNextStart(
        () -> assertThat(servingOf(shop)).contains(first.id().value()));
    Deployment second = plane.deploy(shop);

    assertThat(second.status()).isEqualTo(LIVE);
    assertThat(servingOf(shop)).contains(second.id().value());
  }

  @ParameterizedTest
  @CsvSource({
    "ENDS_AT_ONCE, START_FAILED",
    "RUNS_OUT_OF_MEMORY, OUT_OF_MEMORY",
    "IS_NO_PROGRAM, START_FAILED",
    "ANOTHER_ANSWERS, HEALTH_CHECK_FAILED"
  })
  void aFailedStartKeepsThePreviousDeploymentServing(FakeRuntime.Start start, FailureCode code)
      throws IOException {
    Deployment first = plane.deploy(shop);
    plane.main.runtime.nextStarts(start);
    Deployment second = plane.deploy(shop);

    assertThat(second.status()).isEqualTo(FAILED);
    Failure failure = second.failure().orElseThrow();
    assertThat(failure.code()).isEqualTo(code);
    assertThat(second.times().ended()).contains(plane.clock.instant());
    assertThat(plane.lastLine(second).level()).isEqualTo(LogLevel.ERROR);
    assertThat(plane.lastLine(second).message()).isEqualTo(failure.message());
    assertThat(plane.logs.closed(second.logId())).isTrue();
    assertThat(plane.read(shop).liveDeploymentId()).contains(first.id());
    assertThat(answerOf(shop.label())).isEqualTo("hello");
    assertThat(plane.main.runtime.running())
        .containsExactlyElementsOf(plane.main.instances.healthy(first.id()));
    assertThat(plane.count("instance")).isEqualTo(1);
    assertThat(plane.main.route(second.previewLabel())).isEmpty();
  }

  @Test
  void theLastLinesOfAProgramThatEndsAreInTheLogAndMasked() {
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    Deployment failed =
        plane.trigger(shop, new EnvVars(Map.of("DATABASE_URL", "postgres://ada:s3cret-of-ada@db")));
    plane.main.jobs.runDue();

    assertThat(plane.log(failed.logId()).stream().map(LogEntry::message))
        .contains("Error: cannot reach [masked]")
        .noneMatch(line -> line.contains("s3cret-of-ada"));
  }

  @Test
  void theProgramGetsTheVariablesOfTheProjectUnderThoseOfTheDeployment() {
    plane.trigger(shop, new EnvVars(Map.of("EXTRA", "1", "NODE_ENV", "staging")));
    plane.main.jobs.runDue();

    assertThat(lastStarted().env().values())
        .isEqualTo(Map.of("GREETING", "hello", "EXTRA", "1", "NODE_ENV", "staging"));
    plane.deploy(shop);
    assertThat(lastStarted().env().values())
        .isEqualTo(Map.of("GREETING", "hello", "NODE_ENV", "production"));
  }

  @Test
  void whileTheEngineIsAwayTheDeploymentWaits() {
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENGINE_IS_AWAY);
    Deployment deployment = plane.deploy(shop);
    assertThat(deployment.status()).isEqualTo(DEPLOYING);

    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.jobs.runDue();

    assertThat(plane.read(deployment).status()).isEqualTo(LIVE);
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void anOlderDeploymentThatFinishesLateIsSuperseded() {
    Deployment older = plane.trigger(shop);
    Deployment newer = plane.built(shop);
    plane.main.jobs.run(ActivateJob.KIND, newer.id().value());
    assertThat(servingOf(shop)).contains(newer.id().value());

    plane.main.jobs.runDue();

    assertThat(plane.read(older).status()).isEqualTo(FAILED);
    assertThat(plane.read(older).failure()).map(Failure::code).contains(FailureCode.SUPERSEDED);
    assertThat(servingOf(shop)).contains(newer.id().value());
    assertThat(plane.main.runtime.running())
        .containsExactlyElementsOf(plane.main.instances.healthy(newer.id()));
    assertThat(plane.count("instance")).isEqualTo(1);
  }

  @Test
  void aJobThatRunsOnceMoreAfterItsEndChangesNothing() {
    Deployment live = plane.deploy(shop);
    int lines = plane.log(live.logId()).size();

    plane.main.jobs.run(BuildJob.KIND, live.id().value());
    plane.main.jobs.run(ActivateJob.KIND, live.id().value());
    plane.main.jobs.runDue();

    assertThat(plane.read(live)).isEqualTo(live);
    assertThat(plane.log(live.logId())).hasSize(lines);
    assertThat(plane.main.runtime.started()).hasSize(1);
  }

  @Test
  void aJobCutOffAfterTheStartGoesOnWithTheSameInstance() {
    Deployment built = plane.built(shop);
    InstanceSpec[] cutOff = new InstanceSpec[1];
    plane.main.deployments.tell(
        new Cut(() -> cutOff[0] = lastStarted())); // the process dies as it goes live
    assertThatThrownBy(() -> plane.main.jobs.run(ActivateJob.KIND, built.id().value()))
        .isInstanceOf(Cut.Killed.class);
    assertThat(plane.read(built).status()).isEqualTo(DEPLOYING);
    assertThat(plane.read(shop).liveDeploymentId()).isEmpty();
    assertThat(plane.main.route(shop.label())).isEmpty();

    plane.main.jobs.runDue();

    assertThat(plane.read(built).status()).isEqualTo(LIVE);
    assertThat(plane.read(built).attempt()).isEqualTo(built.attempt() + 2);
    assertThat(plane.main.runtime.started()).hasSize(1);
    assertThat(plane.main.instances.healthy(built.id())).containsExactly(cutOff[0].id());
  }

  @Test
  void ofTwoWorkersOnOneDeploymentTheNewerAttemptGoesLive() {
    Plane.Worker other = plane.worker("other");
    Deployment built = plane.built(shop);
    plane.main.runtime.duringNextStart(() -> other.jobs.run(ActivateJob.KIND, built.id().value()));

    plane.main.jobs.run(ActivateJob.KIND, built.id().value());

    assertThat(plane.read(built).status()).isEqualTo(LIVE);
    assertThat(other.instances.healthy(built.id())).hasSize(1);
    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(plane.count("instance")).isEqualTo(1);
    assertThat(plane.log(built.logId()))
        .filteredOn(line -> line.level() == LogLevel.SUCCESS)
        .hasSize(1);
  }

  @Test
  void aPausedWorkerThatFailsChangesNothing() {
    Deployment built = plane.built(shop);
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    plane.main.runtime.duringNextStart(() -> takeOver(built, DEPLOYING));

    plane.main.jobs.run(ActivateJob.KIND, built.id().value());

    assertThat(plane.read(built).status()).isEqualTo(DEPLOYING);
    assertThat(plane.read(built).failure()).isEmpty();
    assertThat(plane.logs.closed(built.logId())).isFalse();
  }

  @Test
  void theWritesOfAnOlderAttemptChangeNothing() {
    Deployment queued = plane.trigger(shop);
    Deployment older = takeOver(queued, BUILDING);
    Deployment newer = takeOver(queued, BUILDING);
    DeploymentStore store = plane.records.deployments();

    plane.database.useTransaction(tx -> {
      assertThat(store.resolved(tx, older.id(), older.attempt(), FakeSourceHost.HEAD)).isFalse();
      assertThat(store.detected(tx, older.id(), older.attempt(), "nextjs")).isFalse();
      assertThat(store.built(tx, older.id(), older.attempt(), release(), now())).isEmpty();
      assertThat(store.live(tx, older.id(), older.attempt(), now())).isEmpty();
    });

    assertThat(plane.read(newer)).isEqualTo(newer);
  }

  @Test
  void nothingGoesLiveWhenWhoeverListensFails() {
    Deployment built = plane.built(shop);
    plane.main.deployments.tell(new Cut(() -> {}));

    assertThatThrownBy(() -> plane.main.jobs.run(ActivateJob.KIND, built.id().value()))
        .isInstanceOf(Cut.Killed.class);

    assertThat(plane.read(built).status()).isEqualTo(DEPLOYING);
    assertThat(plane.read(shop).liveDeploymentId()).isEmpty();
    assertThat(plane.main.jobs.waiting(PruneJob.KIND)).isEmpty();
    assertThat(plane.logs.closed(built.logId())).isFalse();
  }

  @Test
  void aDeploymentWhoseJobIsGivenUpFailsAndLeavesNothingRunning() {
    plane.main.deployments.tell(new Cut(() -> {}, 1));
    Deployment deployment = plane.deploy(shop);

    assertThat(deployment.status()).isEqualTo(FAILED);
    assertThat(deployment.failure()).contains(Moves.INTERNAL);
    assertThat(plane.main.runtime.running()).isEmpty();
    assertThat(plane.count("instance")).isZero();
  }

  @Test
  void anInstanceTypeThatIsNotConfiguredAnyMoreIsASentenceForTheUser() {
    plane.database.useTransaction(tx -> tx.execute("UPDATE project SET instance_type = 'gone'"));
    Deployment deployment = plane.deploy(shop);

    assertThat(deployment.failure())
        .contains(
            new Failure(
                FailureCode.START_FAILED,
                "The instance type gone is not configured any more: choose another for the project."));
  }

  @Test
  void aProgramThatCrashesIsStartedAgain() {
    Deployment live = plane.deploy(shop);
    List<InstanceId> before = plane.main.instances.healthy(live.id());
    plane.main.runtime.crash(before.getFirst());

    Eventually.holds(
        "another instance serves",
        () ->
            plane.main.route(shop.label()).stream()
                .flatMap(route -> route.targets().stream())
                .map(Target::instance)
                .anyMatch(instance -> !before.contains(instance)));
    assertThat(plane.main.runtime.running()).hasSize(1);
  }

  @Test
  void aPreviewIsWokenByItsFirstRequestOnceForAllWhoAsk() {
    Deployment first = plane.deploy(shop);
    plane.deploy(shop);

    var one = plane.main.wake(first.id());
    var two = plane.main.wake(first.id());

    assertThat(one.join()).isEqualTo(two.join());
    assertThat(plane.main.route(first.previewLabel()))
        .map(Route::targets)
        .contains(List.of(one.join()));
    assertThat(plane.main.runtime.running()).hasSize(2);
  }

  @Test
  void whatNeverServedIsNotWoken() {
    Deployment built = plane.built(shop);

    assertThatThrownBy(() -> plane.main.wake(built.id()).join())
        .hasCauseInstanceOf(AppFailure.class);
  }

  @Test
  void whatASecondRunFindsRunningIsAdopted() {
    Deployment live = plane.deploy(shop);
    plane.main.deployments.upkeep().recover();

    assertThat(plane.main.runtime.started()).hasSize(1);
    assertThat(plane.main.instances.healthy(live.id())).hasSize(1);
    assertThat(servingOf(shop)).contains(live.id().value());
  }

  private Deployment takeOver(Deployment deployment, DeploymentStatus status) {
    return plane
        .database
        .inTransaction(
            tx -> plane.records.deployments().begin(tx, deployment.id(), QUEUED, status, now()))
        .orElseThrow();
  }

  private Instant now() {
    return plane.clock.instant();
  }

  private static ReleaseId release() {
    return ReleaseId.of(DeploymentId.next());
  }

  private InstanceSpec lastStarted() {
    return plane.main.runtime.started().getLast();
  }

  private Optional<String> servingOf(Project project) {
    return plane.main.route(project.label()).map(route -> route.deployment().value());
  }

  private String answerOf(String label) throws IOException {
    Target target = plane.main.route(label).orElseThrow().targets().getFirst();
    URI address = URI.create("http://%s:%d/".formatted(target.host(), target.port()));
    try (InputStream body = address.toURL().openStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Breaks the transaction in which a deployment goes live, so many times. */
  private static final class Cut implements DeploymentListener {
    private final Runnable before;
    private final Supplier<? extends Throwable> end;
    private int times;

    /** A fault of ours, which is cleaned up after. */
    static final class Died extends RuntimeException {
      Died() {
        super("as told");
      }
    }

    /** The end of the process: nobody cleans up. */
    static final class Killed extends Error {
      Killed() {
        super("as told");
      }
    }

    /** Ends the process, once. */
    Cut(Runnable before) {
      this(before, 1, Killed::new);
    }

    Cut(Runnable before, int times) {
      this(before, times, Died::new);
    }

    private <T extends Throwable> Cut(Runnable before, int times, Supplier<T> end) {
      this.before = before;
      this.times = times;
      this.end = end;
    }

    @Override
    public void moved(Handle tx, Deployment deployment) {
      if (deployment.status() == LIVE && times-- > 0) {
        before.run();
        switch (end.get()) {
          case RuntimeException died -> throw died;
          case Error killed -> throw killed;
          default -> throw new IllegalStateException("neither");
        }
      }
    }
  }
}
