package dev.slipway.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Eventually;
import dev.slipway.core.FailureCode;
import dev.slipway.core.InstanceId;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.FakeDatabases;
import dev.slipway.dbproject.DatabaseListener.Following;
import dev.slipway.dbproject.DatabaseProject;
import dev.slipway.dbproject.DatabaseStatus;
import dev.slipway.dbproject.DatabaseWish;
import dev.slipway.job.Job;
import dev.slipway.project.Project;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runtime.FakeRuntime;
import dev.slipway.runtime.InstanceSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class DatabaseUsersTest {
  private final Plane plane = new Plane();
  private final Project shop = plane.project("shop");

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aDeploymentIsBuiltWhenItsDatabaseIsReadyAndItsProgramGetsTheVariables() {
    link(shop, created());
    Deployment waiting =
        plane.trigger(
            shop,
            new EnvVars(Map.of("PGUSER", "my-own", "OTHER_URL", "db://${{ PGPASSWORD }}@here")));

    assertThat(waiting.status()).isEqualTo(DeploymentStatus.QUEUED);
    assertThat(plane.main.jobs.waiting(BuildJob.KIND)).isEmpty();
    assertThat(plane.lastLine(waiting).message())
        .isEqualTo("It is built as soon as its database is ready.");

    plane.main.jobs.runDue();
    assertThat(plane.read(waiting).status()).isEqualTo(DeploymentStatus.LIVE);
    Map<String, String> env = plane.main.runtime.started().getLast().env().values();
    assertThat(env).containsEntry("GREETING", "hello").containsEntry("PGUSER", "my-own");
    assertThat(env.get("DATABASE_URL")).contains(env.get("PGPASSWORD"));
    assertThat(env.get("OTHER_URL")).isEqualTo("db://" + env.get("PGPASSWORD") + "@here");
  }

  @Test
  void whoWaitsForADatabaseThatCannotBeHadFails() {
    link(shop, new DatabaseWish.Connect(FakeDatabases.elsewhere(FakeDatabases.WRONG)));
    Deployment first = plane.trigger(shop);
    Deployment second = plane.trigger(shop);
    plane.main.jobs.runDue();

    for (Deployment each : List.of(first, second)) {
      assertThat(plane.read(each).failure().orElseThrow().code())
          .isEqualTo(FailureCode.DATABASE_UNREACHABLE);
      assertThat(plane.lastLine(each).message()).isEqualTo("The server refused the login of ada.");
    }
    assertThat(plane.main.runtime.started()).isEmpty();
  }

  @Test
  void aCanceledDeploymentWaitsNoMore() {
    DatabaseId database = link(shop, created());
    Deployment waiting = plane.trigger(shop);
    plane.main.service().cancel(plane.account, waiting.id());
    assertThat(awaited(database)).isFalse();

    plane.main.jobs.runDue();
    assertThat(plane.read(waiting).failure().orElseThrow().code()).isEqualTo(FailureCode.CANCELED);
    assertThat(plane.main.jobs.waiting(BuildJob.KIND)).isEmpty();

    assertThat(plane.deploy(shop).status()).isEqualTo(DeploymentStatus.LIVE);
  }

  /** Both orders come about; either the one finds the database ready or the other finds the one. */
  @RepeatedTest(5)
  void whoIsQueuedWhileTheDatabaseGetsReadyIsBuilt() {
    DatabaseId database = link(shop, created());
    Deployment first = plane.trigger(shop);
    CompletableFuture<Deployment> second = CompletableFuture.supplyAsync(() -> plane.trigger(shop));
    plane.main.jobs.run("database-prepare", preparation(database));
    DeploymentId late = second.join().id();

    assertThat(read(database).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.main.jobs.waiting(BuildJob.KIND))
        .containsExactlyInAnyOrder(first.id().value(), late.value());
  }

  @Test
  void aDeploymentWaitsWhileADatabaseThatWasLostIsFilled() {
    link(shop, created());
    plane.deploy(shop);
    Deployment deployment = plane.built(shop);
    execute(
        "UPDATE database_project SET status = 'RESTORING', server = NULL, name = NULL, login = NULL");
    assertThat(plane.main.jobs.run(ActivateJob.KIND, deployment.id().value()))
        .isInstanceOf(Job.Outcome.Again.class);
    assertThat(plane.read(deployment).status()).isEqualTo(DeploymentStatus.DEPLOYING);

    execute("UPDATE database_project SET status = 'DROPPED'");
    plane.main.jobs.run(ActivateJob.KIND, deployment.id().value());
    assertThat(plane.read(deployment).failure().orElseThrow().code())
        .isEqualTo(FailureCode.DATABASE_UNREACHABLE);
  }

  @Test
  void aRollbackHasTheDatabaseOfItsTarget() {
    DatabaseId before = link(shop, created());
    Deployment target = plane.deploy(shop);
    link(shop, created());
    plane.deploy(shop);

    Deployment rollback = plane.rolledBackTo(target);
    assertThat(rollback.status()).isEqualTo(DeploymentStatus.LIVE);
    assertThat(rollback.database()).contains(before);
    assertThat(env("PGDATABASE", 2)).isEqualTo(env("PGDATABASE", 0));
  }

  @Test
  void whatServesIsRestartedAfterAChangeAndPreviewsGoToSleep() {
    DatabaseId database = link(shop, created());
    Deployment preview = plane.deploy(shop);
    Deployment live = plane.deploy(shop);
    plane.main.jobs.runDue();
    plane.main.wake(preview.id()).join();
    InstanceId before = plane.main.instances.healthy(live.id()).getFirst();
    Instant changed = change(database);
    assertThat(following(database, changed)).isInstanceOf(Following.Underway.class);

    plane.main.jobs.runDue();
    assertThat(plane.main.instances.all(preview.id())).isEmpty();
    assertThat(plane.main.instances.all(live.id())).hasSize(1).doesNotContain(before);
    assertThat(following(database, changed)).isInstanceOf(Following.Done.class);
    assertThat(plane.read(shop).restart().orElseThrow().running()).isFalse();
  }

  @Test
  void whatIsBeingStartedAtThatMomentIsStartedOnceMore() {
    DatabaseId database = link(shop, created());
    plane.main.runtime.duringNextStart(() -> change(database));
    Deployment deployment = plane.deploy(shop);
    assertThat(deployment.status()).isEqualTo(DeploymentStatus.DEPLOYING);
    assertThat(plane.main.runtime.running()).isEmpty();

    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.jobs.runDue();
    assertThat(plane.read(deployment).status()).isEqualTo(DeploymentStatus.LIVE);
    assertThat(plane.main.runtime.started()).hasSize(2);

    // Of a preview too.
    Deployment next = plane.deploy(shop);
    assertThat(next.status()).isEqualTo(DeploymentStatus.LIVE);
    plane.main.runtime.duringNextStart(() -> change(database));
    InstanceId woken = plane.main.wake(deployment.id()).join().instance();
    assertThat(plane.main.instances.all(deployment.id())).containsExactly(woken);
    plane.main.jobs.runDue();
    assertThat(outdated(database)).isFalse();
  }

  @Test
  void aRestartThatWasBegunBeforeIsFollowedByAnother() {
    DatabaseId database = link(shop, created());
    Deployment live = plane.deploy(shop);
    plane.main.deployments.restarts().restart(plane.account, shop.id());
    Instant changed = change(database);
    for (int i = 0; i < 3; i++) {
      plane.clock.advance(Duration.ofSeconds(1));
      plane.main.jobs.runDue();
    }

    assertThat(following(database, changed)).isInstanceOf(Following.Done.class);
    assertThat(plane.main.instances.healthy(live.id())).hasSize(1);
  }

  @Test
  void whatServesIsNotCutOffWhereSomebodyAsksForItBeforeItsRestart() {
    DatabaseId database = link(shop, created());
    Deployment live = plane.deploy(shop);
    List<InstanceId> before = plane.main.instances.healthy(live.id());
    change(database);

    assertThat(plane.main.wake(live.id()).join().instance()).isEqualTo(before.getFirst());
    assertThat(plane.main.runtime.running()).containsExactlyElementsOf(before);
  }

  @Test
  void whatWasBegunWithTheEarlierLoginAndCutOffIsNotBegunAgainWithTheNewOne() {
    DatabaseId database = link(shop, created());
    Deployment live = plane.deploy(shop);
    plane.clock.advance(Duration.ofSeconds(1));
    plane.main.deployments.restarts().restart(plane.account, shop.id());
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENGINE_IS_AWAY);
    plane.main.jobs.runDue();
    InstanceId cutOff = plane.main.instances.all(live.id()).getLast();
    int before = plane.main.runtime.started().size();
    change(database);
    plane.main.jobs.runDue();

    assertThat(plane.main.runtime.started().subList(before, before + 1))
        .extracting(InstanceSpec::id)
        .doesNotContain(cutOff);
    assertThat(plane.main.instances.all(live.id())).hasSize(1).doesNotContain(cutOff);
    assertThat(outdated(database)).isFalse();
  }

  @Test
  void aRestartThatCouldNotBeAskedForIsAskedForLater() {
    DatabaseId database = link(shop, created());
    plane.deploy(shop);
    Instant changed = change(database);
    execute("ALTER TABLE instance RENAME COLUMN variables TO hidden");
    String givenUp = plane.main.jobs.waiting(RenewJob.KIND).getFirst();
    plane.main.jobs.runDue();
    assertThat(plane.main.jobs.waiting(RenewJob.KIND)).hasSize(1).doesNotContain(givenUp);
    execute("ALTER TABLE instance RENAME COLUMN hidden TO variables");

    plane.clock.advance(Duration.ofMinutes(1));
    plane.main.jobs.runDue();
    assertThat(following(database, changed)).isInstanceOf(Following.Done.class);
  }

  @Test
  void aDatabaseGoesWithItsProjectOnlyWhereNothingOfAnotherRunsWithIt() {
    DatabaseId shared = link(shop, created());
    Project blog = plane.project("blog");
    use(blog, shared);
    plane.deploy(blog);
    link(blog, created());

    plane.main.projects.delete(plane.account, shop.id(), true);
    assertThat(read(shared).status()).isEqualTo(DatabaseStatus.READY);

    Project last = plane.project("last");
    use(last, shared);
    plane.deploy(blog);
    plane.main.jobs.runDue();
    plane.main.projects.delete(plane.account, last.id(), true);
    assertThat(read(shared).status()).isEqualTo(DatabaseStatus.DROPPING);
  }

  /** As whoever asks for a deployment does, or each could wait for the other. */
  @Test
  void aProjectThatIsDeletedIsLockedBeforeItsDatabase() {
    DatabaseId database = link(shop, created());
    CompletableFuture<Void> deletion =
        plane.database.inTransaction(tx -> {
          lock(tx, "SELECT id FROM project WHERE id = ? FOR SHARE", shop.id().value());
          CompletableFuture<Void> begun =
              CompletableFuture.runAsync(
                  () -> plane.main.projects.delete(plane.account, shop.id(), true));
          Eventually.holds("it waits for the project", () -> plane.waitingForLocks() == 1);
          lock(
              tx,
              "SELECT id FROM database_project WHERE id = ? FOR UPDATE NOWAIT",
              database.value());
          return begun;
        });

    deletion.join();
    assertThat(read(database).status()).isEqualTo(DatabaseStatus.DROPPED);
  }

  @Test
  void oneThatDoesNotStartWithTheNewLoginGoesOnWithTheEarlierOne() {
    DatabaseId database = link(shop, created());
    Deployment live = plane.deploy(shop);
    List<InstanceId> before = plane.main.instances.healthy(live.id());
    plane.main.runtime.nextStarts(FakeRuntime.Start.ENDS_AT_ONCE);
    Instant changed = change(database);
    plane.main.jobs.runDue();

    assertThat(following(database, changed))
        .isInstanceOfSatisfying(
            Following.Failed.class,
            failed -> assertThat(failed.failure().code()).isEqualTo(FailureCode.START_FAILED));
    assertThat(plane.main.instances.healthy(live.id())).isEqualTo(before);
  }

  @Test
  void whereTheDatabaseIsGoneNothingIsStartedAndItIsSaid() {
    DatabaseId database = link(shop, created());
    Deployment target = plane.deploy(shop);
    plane.deploy(shop);
    plane.database.useTransaction(tx ->
        tx.execute(
            """
            UPDATE database_project
               SET status = 'DROPPED', version = version + 1, server = NULL, name = NULL,
                   login = NULL, password = NULL
             WHERE id = ?
            """,
            database.value()));

    Deployment rollback = plane.rolledBackTo(target);
    assertThat(rollback.failure().orElseThrow().code()).isEqualTo(FailureCode.DATABASE_UNREACHABLE);
    assertThat(plane.main.instances.all(rollback.id())).isEmpty();
  }

  @Test
  void thePasswordIsMaskedInWhatAProgramPrintsAndItsPlaceIsNot() {
    link(shop, created());
    Deployment live = plane.deploy(shop);
    String url = env("DATABASE_URL", 0);
    InstanceId instance = plane.main.instances.healthy(live.id()).getFirst();
    plane.main.runtime.print(
        instance, "%s or %s at 127.0.0.1%n".formatted(url, env("PGPASSWORD", 0)));

    assertThat(
            plane
                .main
                .service()
                .programLog(plane.account, live.id(), ProgramPlaces.begin())
                .next(10))
        .extracting(ProgramLog.Line::entry)
        .extracting(LogEntry::message)
        .containsExactly("[masked] or [masked] at 127.0.0.1");
  }

  private String env(String name, int start) {
    return Optional.ofNullable(plane.main.runtime.started().get(start).env().values().get(name))
        .orElseThrow();
  }

  private static DatabaseWish created() {
    return new DatabaseWish.Create(DatabaseType.POSTGRES, Optional.empty());
  }

  /** From now on the project's deployments work with it. */
  private DatabaseId link(Project project, DatabaseWish wish) {
    return plane.database.inTransaction(tx -> {
      DatabaseId id = plane.databases.service().add(tx, plane.account, wish);
      use(tx, project, id);
      return id;
    });
  }

  private void use(Project project, DatabaseId id) {
    plane.database.useTransaction(tx -> use(tx, project, id));
  }

  private static void use(Handle tx, Project project, DatabaseId id) {
    tx.execute("UPDATE project SET database_id = ? WHERE id = ?", id.value(), project.id().value());
  }

  private static void lock(Handle tx, String query, String id) {
    var _ = tx.createQuery(query).bind(0, id).mapTo(String.class).one();
  }

  private void execute(String statement) {
    plane.database.useTransaction(tx -> tx.execute(statement));
  }

  private DatabaseProject read(DatabaseId id) {
    return plane.databases.service().get(plane.account, id);
  }

  private String preparation(DatabaseId id) {
    return plane.database.read(tx ->
        tx.createQuery(
                "SELECT task_instance FROM database_tasks WHERE starts_with(task_instance, ?)")
            .bind(0, id.value())
            .mapTo(String.class)
            .one());
  }

  private boolean awaited(DatabaseId id) {
    return plane.database.read(
        tx -> plane.main.deployments.databaseUsers().isAwaited(tx, read(id)));
  }

  /** As a rotation does it. */
  private Instant change(DatabaseId id) {
    plane.clock.advance(Duration.ofSeconds(1));
    Instant now = plane.clock.instant();
    DatabaseProject project = read(id);
    plane.database.useTransaction(tx -> {
      tx.execute("UPDATE database_project SET version = version + 1 WHERE id = ?", id.value());
      plane.main.deployments.databaseUsers().changed(tx, project, now);
    });
    return now;
  }

  private Following following(DatabaseId id, Instant changedAt) {
    return plane.database.read(
        tx -> plane.main.deployments.databaseUsers().following(tx, read(id), changedAt));
  }

  private boolean outdated(DatabaseId id) {
    String version = plane.database.read(tx -> plane.databases.service().version(tx, id));
    return plane.count("instance WHERE variables <> '%s'".formatted(version)) > 0;
  }
}
