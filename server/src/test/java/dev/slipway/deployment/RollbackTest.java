package dev.slipway.deployment;

import static dev.slipway.deployment.DeploymentStatus.DEPLOYING;
import static dev.slipway.deployment.DeploymentStatus.FAILED;
import static dev.slipway.deployment.DeploymentStatus.LIVE;
import static dev.slipway.deployment.DeploymentStatus.QUEUED;
import static dev.slipway.deployment.DeploymentStatus.ROLLED_BACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.project.Project;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runtime.FakeRuntime;
import dev.slipway.runtime.InstanceSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Source: API decisions, "Deployment", rollback. */
class RollbackTest {
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void itIsARecordOfItsOwnThatGoesLiveWithoutABuild() {
    Deployment target = plane.deploy(shop);
    Deployment serving = plane.deploy(shop);

    DeploymentService.RollbackStarted started = plane.rollBack(target);
    Deployment queued = started.deployment();
    assertThat(started.from()).isEqualTo(serving.id());
    assertThat(started.to()).isEqualTo(target.id());
    assertThat(queued.status()).isEqualTo(QUEUED);
    assertThat(plane.read(queued)).isEqualTo(queued);
    assertThat(plane.main.jobs.waiting(BuildJob.KIND)).isEmpty();

    plane.main.jobs.runDue();
    Deployment live = plane.read(queued);
    assertThat(live.status()).isEqualTo(LIVE);
    assertThat(live.origin().trigger()).isEqualTo(Trigger.ROLLBACK);
    assertThat(live.origin().source()).isEqualTo(target.id());
    assertThat(live.origin().rollbackTo()).contains(target.id());
    assertThat(live.releaseId()).isEqualTo(target.releaseId());
    assertThat(live.code().commit()).isEqualTo(target.code().commit());
    assertThat(live.buildDuration()).contains(Duration.ZERO);
    assertThat(live.times().building()).isEmpty();
    assertThat(live.previewLabel()).isNotEqualTo(target.previewLabel()).startsWith("shop--");
  }

  @Test
  void whatItReplacesBecomesRolledBackAndItsTargetStaysLive() {
    Deployment target = plane.deploy(shop);
    Deployment between = plane.deploy(shop);
    Deployment serving = plane.deploy(shop);

    Deployment rollback = plane.rolledBackTo(target);

    assertThat(plane.read(serving).status()).isEqualTo(ROLLED_BACK);
    assertThat(plane.read(serving).times().ended()).contains(plane.clock.instant());
    assertThat(plane.read(between).status()).isEqualTo(LIVE);
    assertThat(plane.read(target).status()).isEqualTo(LIVE);
    assertThat(serving()).contains(rollback.id());
    assertThat(newestLive()).isEqualTo(rollback.id());
    assertThat(plane.main.runtime.running())
        .containsExactlyElementsOf(plane.main.instances.healthy(rollback.id()));
  }

  @Test
  void aRollbackToTheOneThatServesStartsItAfreshAndItStaysLive() {
    Deployment serving = plane.deploy(shop);

    DeploymentService.RollbackStarted started = plane.rollBack(serving);
    assertThat(started.from()).isEqualTo(serving.id());
    assertThat(started.to()).isEqualTo(serving.id());
    plane.main.jobs.runDue();

    assertThat(plane.read(serving).status()).isEqualTo(LIVE);
    assertThat(serving()).contains(started.deployment().id());
    assertThat(plane.main.runtime.running()).hasSize(1);
  }

  @Test
  void oneThatWasRolledBackCanBeRolledBackTo() {
    Deployment first = plane.deploy(shop);
    Deployment second = plane.deploy(shop);
    Deployment back = plane.rolledBackTo(first);
    assertThat(plane.read(second).status()).isEqualTo(ROLLED_BACK);

    Deployment forth = plane.rolledBackTo(second);

    assertThat(forth.status()).isEqualTo(LIVE);
    assertThat(plane.read(second).status()).isEqualTo(ROLLED_BACK);
    assertThat(plane.read(back).status()).isEqualTo(ROLLED_BACK);
    assertThat(newestLive()).isEqualTo(forth.id());
  }

  @Test
  void aRollbackToARollbackNamesTheDeploymentThatWasBuilt() {
    Deployment first = plane.deploy(shop);
    plane.deploy(shop);
    Deployment back = plane.rolledBackTo(first);
    plane.deploy(shop);

    Deployment again = plane.rolledBackTo(back);

    assertThat(again.origin().source()).isEqualTo(first.id());
    assertThat(again.origin().rollbackTo()).contains(back.id());
    assertThat(again.releaseId()).isEqualTo(first.releaseId());
  }

  @Test
  void theVariablesAreExactlyThoseOfTheTarget() {
    Deployment target =
        plane.trigger(shop, new EnvVars(Map.of("ONLY_THEN", "1", "GREETING", "then")));
    plane.main.jobs.runDue();
    InstanceSpec then = plane.main.runtime.started().getLast();
    changeProject(new EnvVars(Map.of("GREETING", "now", "NEW", "1")));
    plane.deploy(shop);

    plane.rolledBackTo(plane.read(target));

    InstanceSpec again = plane.main.runtime.started().getLast();
    assertThat(again.env().values())
        .isEqualTo(then.env().values())
        .isEqualTo(Map.of("ONLY_THEN", "1", "GREETING", "then", "NODE_ENV", "production"));
    assertThat(again.layers()).isEqualTo(then.layers());
    assertThat(again.program()).isEqualTo(then.program());
    assertThat(again.limits()).isEqualTo(then.limits());
  }

  @Test
  void olderUnfinishedDeploymentsEndAsSupersededInTheSameTransaction() {
    Deployment target = plane.deploy(shop);
    Deployment queued = plane.trigger(shop);
    Deployment deploying = plane.built(shop);

    Deployment rollback = plane.rollBack(target).deployment();

    for (Deployment older : List.of(queued, deploying)) {
      assertThat(plane.read(older).status()).isEqualTo(FAILED);
      assertThat(plane.read(older).failure()).map(Failure::code).contains(FailureCode.SUPERSEDED);
      assertThat(plane.lastLine(older).level()).isEqualTo(LogLevel.ERROR);
      assertThat(plane.lastLine(older).message()).contains(rollback.id().value());
      assertThat(plane.logs.closed(older.logId())).isTrue();
    }
    plane.main.jobs.runDue();
    assertThat(serving()).contains(rollback.id());
    assertThat(plane.read(queued).status()).isEqualTo(FAILED);
    assertThat(plane.main.runtime.running()).hasSize(1);
  }

  @Test
  void aDeploymentOfAnotherProjectIsNotTouched() {
    Deployment target = plane.deploy(shop);
    Deployment other = plane.trigger(plane.project("blog"));

    plane.rollBack(target);

    assertThat(plane.read(other).status()).isEqualTo(QUEUED);
  }

  @Test
  void laterDeploymentsWaitForTheRollback() {
    Deployment target = plane.deploy(shop);
    Deployment rollback = plane.rollBack(target).deployment();
    Deployment later = plane.built(shop);

    plane.main.jobs.run(ActivateJob.KIND, later.id().value());
    assertThat(plane.read(later).status()).isEqualTo(DEPLOYING);
    assertThat(serving()).contains(target.id());

    plane.main.jobs.runDue();
    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.jobs.runDue();
    assertThat(plane.read(rollback).status()).isEqualTo(LIVE);
    assertThat(plane.read(later).status()).isEqualTo(LIVE);
    assertThat(serving()).contains(later.id());
    assertThat(newestLive()).isEqualTo(later.id());
  }

  @Test
  void aFailedRollbackChangesNothing() {
    Deployment target = plane.deploy(shop);
    Deployment serving = plane.deploy(shop);
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);

    Deployment rollback = plane.rolledBackTo(target);

    assertThat(rollback.status()).isEqualTo(FAILED);
    assertThat(plane.read(serving)).isEqualTo(serving);
    assertThat(plane.read(target)).isEqualTo(target);
    assertThat(serving()).contains(serving.id());
    assertThat(plane.main.runtime.running())
        .containsExactlyElementsOf(plane.main.instances.healthy(serving.id()));
  }

  @Test
  void aDeploymentThatNeverServedIsNoTarget() {
    plane.deploy(shop);
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    Deployment failed = plane.deploy(shop);
    Deployment queued = plane.trigger(shop);
    Deployment deploying = plane.built(shop);

    assertThat(refused(failed).getMessage()).contains("is failed").contains(failed.id().value());
    assertThat(refused(queued).getMessage()).contains("is queued");
    assertThat(refused(deploying).getMessage()).contains("is deploying");
    assertThat(plane.read(queued).status()).isEqualTo(QUEUED);
  }

  @Test
  void aTargetWhoseReleaseWasPrunedIsRefusedAndNothingElseEnds() {
    Deployment target = plane.deploy(shop);
    plane.deploy(shop);
    Deployment queued = plane.trigger(shop);
    prune(target);

    assertThat(refused(target).getMessage()).contains("is not kept any more");
    assertThat(plane.read(queued).status()).isEqualTo(QUEUED);
  }

  @Test
  void aTargetPrunedBeforeTheJobRunsFailsTheRollbackAlone() {
    Deployment target = plane.deploy(shop);
    Deployment serving = plane.deploy(shop);
    Deployment rollback = plane.rollBack(target).deployment();
    prune(target);

    plane.main.jobs.runDue();

    assertThat(plane.read(rollback).failure())
        .map(Failure::code)
        .contains(FailureCode.START_FAILED);
    assertThat(serving()).contains(serving.id());
  }

  @Test
  void onlyTheOwnerCanRollBack() {
    Deployment target = plane.deploy(shop);

    assertThat(thrown(plane.addAccount(), target.id()).code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(thrown(plane.account, DeploymentId.next()).code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(plane.count("deployment")).isEqualTo(1);
  }

  @Test
  void ofTwoRollbacksTheLaterOneServes() {
    Deployment first = plane.deploy(shop);
    Deployment second = plane.deploy(shop);
    Deployment early = plane.rollBack(first).deployment();
    Deployment late = plane.rollBack(second).deployment();
    plane.main.jobs.runDue();

    assertThat(plane.read(early).failure()).map(Failure::code).contains(FailureCode.SUPERSEDED);
    assertThat(serving()).contains(late.id());
    assertThat(newestLive()).isEqualTo(late.id());
  }

  private RequestException refused(Deployment target) {
    RequestException refused = thrown(plane.account, target.id());
    assertThat(refused.code()).isEqualTo(ErrorCode.ROLLBACK_NOT_ALLOWED);
    return refused;
  }

  private RequestException thrown(AccountId account, DeploymentId target) {
    return catchThrowableOfType(
        RequestException.class, () -> plane.main.service().rollback(account, target));
  }

  private void prune(Deployment target) {
    plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE release SET pruned_at = now() WHERE id = ?",
            target.releaseId().orElseThrow().value()));
  }

  private void changeProject(EnvVars env) {
    plane.database.useTransaction(tx ->
        tx.execute(
            "UPDATE project SET env = ? WHERE id = ?",
            plane.vault.sealEnv(env, shop.id().value()),
            shop.id().value()));
  }

  private Optional<DeploymentId> serving() {
    Optional<DeploymentId> routed = plane.main.route(shop.label()).map(it -> it.deployment());
    assertThat(plane.read(shop).liveDeploymentId()).isEqualTo(routed);
    return routed;
  }

  private DeploymentId newestLive() {
    DeploymentStore.Filter live =
        new DeploymentStore.Filter(plane.account, Optional.of(shop.id()), Optional.of(LIVE));
    return plane.main.service().list(live, Optional.empty(), 1).getFirst().deployment().id();
  }
}
