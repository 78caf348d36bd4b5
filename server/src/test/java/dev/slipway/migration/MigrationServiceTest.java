package dev.slipway.migration;

import static dev.slipway.migration.MigrationStatus.COMPLETE;
import static dev.slipway.migration.MigrationStatus.FAILED;
import static dev.slipway.migration.MigrationStatus.PENDING;
import static dev.slipway.migration.MigrationStatus.PROCESSING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.core.AccountId;
import dev.slipway.core.AtOnce;
import dev.slipway.core.EnvVars;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.MigrationId;
import dev.slipway.core.RequestException;
import dev.slipway.deployment.Deployment;
import dev.slipway.deployment.DeploymentListener;
import dev.slipway.deployment.DeploymentStatus;
import dev.slipway.deployment.Plane;
import dev.slipway.project.Settings;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.LogLevel;
import dev.slipway.runtime.FakeRuntime;
import dev.slipway.source.RepoName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MigrationServiceTest {
  private final Plane plane = new Plane(new Plane.Settings(10, 2, false));

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aMigrationIsCompleteWithItsFirstDeployment() {
    MigrationId id = create("acme/shop").id();
    MigrationService.Detail processing = read(id);
    assertThat(processing.migration().status()).isEqualTo(PROCESSING);
    assertThat(processing.migration().completedAt()).isEmpty();
    assertThat(processing.project().name()).isEqualTo("shop");

    plane.main.jobs.runDue();

    MigrationService.Detail complete = read(id);
    assertThat(complete.migration().status()).isEqualTo(COMPLETE);
    assertThat(complete.migration().completedAt()).contains(plane.clock.instant());
    assertThat(complete.project().liveDeploymentId())
        .isEqualTo(complete.deployment().map(Deployment::id));
    List<LogEntry> log = plane.log(id.value());
    assertThat(log.getFirst().message())
        .isEqualTo("Migrating acme/shop, branch main, from github to project shop.");
    assertThat(log.getLast().level()).isEqualTo(LogLevel.SUCCESS);
  }

  @Test
  void aMigrationFailsWithItsFirstDeploymentAndLeavesTheProject() {
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    MigrationId id = create("acme/shop").id();
    plane.main.jobs.runDue();

    MigrationService.Detail failed = read(id);
    assertThat(failed.migration().status()).isEqualTo(FAILED);
    assertThat(failed.migration().completedAt()).contains(plane.clock.instant());
    assertThat(failed.migration().failure())
        .isEqualTo(failed.deployment().flatMap(Deployment::failure))
        .map(Failure::code)
        .contains(FailureCode.START_FAILED);
    assertThat(plane.log(id.value()).getLast().level()).isEqualTo(LogLevel.ERROR);

    plane.deploy(failed.project());
    assertThat(plane.read(failed.project()).liveDeploymentId()).isPresent();
    assertThat(read(id).migration().status()).isEqualTo(FAILED);
  }

  @Test
  void migrationAndDeploymentEndInOneTransaction() {
    MigrationId id = create("acme/shop").id();
    Breaking breaking = new Breaking();
    plane.main.deployments.tell(breaking);
    plane.main.jobs.runDue();

    assertThat(breaking.seen).isEqualTo(COMPLETE);
    assertThat(read(id).migration().status()).isEqualTo(FAILED);
    assertThat(read(id).project().liveDeploymentId()).isEmpty();
  }

  @Test
  void beyondTheSlotsOfTheTierItIsPendingAndStartsInItsOrder() {
    List<MigrationId> ids =
        Stream.of("a", "b", "c", "d").map(name -> create("acme/" + name).id()).toList();
    assertThat(statuses(ids)).containsExactly(PROCESSING, PROCESSING, PENDING, PENDING);
    assertThat(read(ids.get(2)).deployment()).isEmpty();

    Deployment first = read(ids.getFirst()).deployment().orElseThrow();
    plane.main.jobs.run("build", first.id().value());
    plane.main.jobs.run("activate", first.id().value());
    assertThat(statuses(ids)).containsExactly(COMPLETE, PROCESSING, PROCESSING, PENDING);

    plane.main.jobs.runDue();
    assertThat(statuses(ids)).containsOnly(COMPLETE);
  }

  @Test
  void aFailureFreesItsSlotToo() {
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE, FakeRuntime.Start.ENDS_AT_ONCE);
    List<MigrationId> ids =
        Stream.of("a", "b", "c").map(name -> create("acme/" + name).id()).toList();
    plane.main.jobs.runDue();

    assertThat(statuses(ids)).containsExactly(FAILED, FAILED, COMPLETE);
  }

  @Test
  void anotherAccountHasSlotsOfItsOwn() {
    create("acme/a");
    create("acme/b");
    AccountId other = plane.addAccount();
    Migration migration =
        plane.main.migrations.create(other, request("acme/a", Optional.empty()), Optional.empty());

    assertThat(plane.main.migrations.get(other, migration.id()).migration().status())
        .isEqualTo(PROCESSING);
  }

  @Test
  void requestsAtOnceNeverTakeMoreSlotsThanThereAre() throws Exception {
    assertThat(AtOnce.run(8, () -> create("acme/shop")))
        .extracting(Migration::status)
        .containsOnly(PENDING);

    assertThat(countProcessing()).isEqualTo(2);
    plane.main.jobs.runDue();
    assertThat(countProcessing()).isZero();
    assertThat(plane.count("project")).isEqualTo(8);
  }

  @Test
  void aDerivedNameThatIsTakenGetsASuffix() {
    create("acme/shop");
    MigrationService.Detail second = read(create("other/shop").id());

    assertThat(second.project().name()).matches("shop-[a-z0-9]{4}");
    assertThat(second.project().label()).isEqualTo(second.project().name());
  }

  @Test
  void anExplicitNameThatIsTakenIsAConflictAndMakesNothing() {
    create("acme/shop");

    RequestException conflict =
        catchThrowableOfType(
            RequestException.class,
            () ->
                plane.main.migrations.create(
                    plane.account, request("acme/blog", Optional.of("shop")), Optional.empty()));

    assertThat(conflict.code()).isEqualTo(ErrorCode.CONFLICT);
    assertThat(conflict.getMessage()).startsWith("project_name: ").contains("shop");
    assertThat(plane.count("project")).isEqualTo(1);
    assertThat(plane.count("migration")).isEqualTo(1);
    assertThat(plane.count("run_log")).isEqualTo(1);
  }

  @Test
  void aNameOfAnotherAccountIsFreeButItsLabelIsNot() {
    create("acme/shop");
    AccountId other = plane.addAccount();
    MigrationId id =
        plane
            .main
            .migrations
            .create(other, request("acme/shop", Optional.of("shop")), Optional.empty())
            .id();

    MigrationService.Detail made = plane.main.migrations.get(other, id);
    assertThat(made.project().name()).isEqualTo("shop");
    assertThat(made.project().label()).matches("shop-[a-z0-9]{4}");
  }

  @Test
  void cancelingItCancelsItsFirstDeploymentAndFreesItsSlot() {
    List<MigrationId> ids =
        Stream.of("a", "b", "c").map(name -> create("acme/" + name).id()).toList();

    MigrationService.Detail canceled = plane.main.migrations.cancel(plane.account, ids.getFirst());

    assertThat(canceled.migration().failure()).map(Failure::code).contains(FailureCode.CANCELED);
    assertThat(canceled.deployment().flatMap(Deployment::failure))
        .isEqualTo(canceled.migration().failure());
    assertThat(canceled.migration().completedAt()).contains(plane.clock.instant());
    assertThat(statuses(ids)).containsExactly(FAILED, PROCESSING, PROCESSING);
    plane.main.jobs.runDue();
    assertThat(statuses(ids)).containsExactly(FAILED, COMPLETE, COMPLETE);
    assertThat(plane.log(ids.getFirst().value()).getLast().level()).isEqualTo(LogLevel.ERROR);
    assertThat(plane.main.migrations.cancel(plane.account, ids.getFirst())).isEqualTo(canceled);
  }

  @Test
  void cancelingItsFirstDeploymentCancelsIt() {
    MigrationId id = create("acme/shop").id();

    plane.main.service().cancel(plane.account, read(id).deployment().orElseThrow().id());

    assertThat(read(id).migration().status()).isEqualTo(FAILED);
    assertThat(read(id).migration().failure()).map(Failure::code).contains(FailureCode.CANCELED);
  }

  @Test
  void onePendingIsCanceledWithoutEverTakingASlot() {
    List<MigrationId> ids =
        Stream.of("a", "b", "c", "d").map(name -> create("acme/" + name).id()).toList();

    MigrationService.Detail canceled = plane.main.migrations.cancel(plane.account, ids.get(2));

    assertThat(canceled.migration().failure()).map(Failure::code).contains(FailureCode.CANCELED);
    assertThat(canceled.deployment()).isEmpty();
    assertThat(statuses(ids)).containsExactly(PROCESSING, PROCESSING, FAILED, PENDING);
    assertThat(plane.logs.closed(ids.get(2).value())).isTrue();
    assertThat(plane.log(ids.get(2).value()).getLast().level()).isEqualTo(LogLevel.ERROR);
    assertThat(plane.main.migrations.cancel(plane.account, ids.get(2))).isEqualTo(canceled);
    plane.main.jobs.runDue();
    assertThat(statuses(ids)).containsExactly(COMPLETE, COMPLETE, FAILED, COMPLETE);
  }

  @Test
  void oneThatHasEndedOtherwiseCannotBeCanceled() {
    MigrationId complete = create("acme/shop").id();
    plane.main.jobs.runDue();
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    MigrationId failed = create("acme/blog").id();
    plane.main.jobs.runDue();

    for (MigrationId id : List.of(complete, failed)) {
      MigrationService.Detail before = read(id);
      RequestException refused =
          catchThrowableOfType(
              RequestException.class, () -> plane.main.migrations.cancel(plane.account, id));
      assertThat(refused.code()).isEqualTo(ErrorCode.CONFLICT);
      assertThat(refused.getMessage()).contains(id.value());
      assertThat(read(id)).isEqualTo(before);
    }
  }

  @Test
  void ofManyCanceledAtOnceAsManyStartAsThereAreSlots() throws Exception {
    List<MigrationId> ids =
        Stream.of("a", "b", "c", "d", "e", "f").map(name -> create("acme/" + name).id()).toList();

    assertThat(
            AtOnce.each(ids.subList(0, 4), id -> plane.main.migrations.cancel(plane.account, id)))
        .extracting(canceled -> canceled.migration().status())
        .containsOnly(FAILED);

    assertThat(statuses(ids))
        .containsExactly(FAILED, FAILED, FAILED, FAILED, PROCESSING, PROCESSING);
  }

  @Test
  void onlyTheOwnerReadsIt() {
    MigrationId id = create("acme/shop").id();
    AccountId other = plane.addAccount();

    assertThat(thrown(other, id).code()).isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(thrown(other, MigrationId.next()).code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  private RequestException thrown(AccountId account, MigrationId id) {
    return catchThrowableOfType(
        RequestException.class, () -> plane.main.migrations.get(account, id));
  }

  private Migration create(String repo) {
    return plane.main.migrations.create(
        plane.account, request(repo, Optional.empty()), Optional.empty());
  }

  private static MigrationService.Request request(String repo, Optional<String> name) {
    return new MigrationService.Request(
        "github",
        Optional.of(new RepoName(repo)),
        Optional.empty(),
        new EnvVars(Map.of("GREETING", "hello")),
        name,
        Optional.empty(),
        Plane.REGION,
        Optional.empty(),
        Settings.of("main", Plane.INSTANCE_TYPE));
  }

  private MigrationService.Detail read(MigrationId id) {
    return plane.main.migrations.get(plane.account, id);
  }

  private List<MigrationStatus> statuses(List<MigrationId> ids) {
    return ids.stream().map(id -> read(id).migration().status()).toList();
  }

  private int countProcessing() {
    return plane.count("migration WHERE status = 'PROCESSING'");
  }

  /** Sees what the migration has become when the deployment goes live, and breaks it all off. */
  private static final class Breaking implements DeploymentListener {
    private MigrationStatus seen = PENDING;

    @Override
    public void moved(Handle tx, Deployment deployment) {
      if (deployment.status() == DeploymentStatus.LIVE) {
        seen =
            MigrationStatus.valueOf(
                tx.createQuery("SELECT status FROM migration").mapTo(String.class).one());
        throw new IllegalStateException("as told");
      }
    }
  }
}
