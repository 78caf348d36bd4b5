package dev.slipway.dbproject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.Secret;
import dev.slipway.core.TransientException;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseType;
import dev.slipway.job.Job;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class PrepareTest {
  private final DatabasePlane plane = new DatabasePlane();

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aDatabaseIsMadeAndWhoWaitsForItGoesOn() {
    DatabaseId id = plane.addNew();

    assertThat(plane.prepare(id)).isFalse();
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.listener.events).containsExactly("ready");
    assertThat(plane.prepare(id)).isTrue();
    assertThat(plane.server.opens(plane.link(id))).isTrue();
    assertThat(plane.database.read(tx -> plane.service.variables(tx, id)).values())
        .containsEntry("PGDATABASE", plane.link(id).place().name());
    assertThat(plane.count("database_leftover")).isZero();
  }

  @Test
  void twoThatWaitHaveItMadeOnce() {
    DatabaseId id = plane.addNew();
    plane.prepare(id);

    assertThat(plane.prepare(id)).isFalse();
    plane.jobs.runDue();

    assertThat(plane.server.databases()).hasSize(1);
  }

  @Test
  void whatIsInAnotherOneIsCopiedFirst() {
    DatabaseLink source = plane.server.elsewhere();
    plane.server.dumps.add(source, List.of("chair", "table"));

    DatabaseId id = importing(source);
    assertThat(sealed(id, "import_from")).isTrue();
    plane.jobs.runDue();

    assertThat(plane.things(id)).containsExactly("chair", "table");
    assertThat(plane.listener.news).contains("1 of 2 tables.", "2 of 2 tables.");
    assertThat(sealed(id, "import_from")).isFalse();
  }

  @Test
  void aCopyThatFailsLeavesNothingAndTellsNoPassword() {
    DatabaseLink source = plane.server.elsewhere();
    plane.server.dumps.fail("pg_dump: no schema for p4ssword-of-elsewhere");

    DatabaseId id = importing(source);
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.FAILED);
    assertThat(plane.read(id).failure().orElseThrow().message())
        .isEqualTo("pg_dump: no schema for [masked]");
    assertThat(plane.listener.events).containsExactly("failed DATABASE_FAILED");
    assertThat(plane.server.databases()).isEmpty();
    assertThat(plane.count("database_leftover")).isZero();
  }

  @Test
  void theNextDeploymentTriesACopyThatFailedAgain() {
    DatabaseLink source = plane.server.elsewhere();
    plane.server.dumps.add(source, List.of("chair"));
    plane.server.dumps.fail("no");
    DatabaseId id = importing(source);
    plane.jobs.runDue();
    plane.server.dumps.work();

    assertThat(plane.prepare(id)).isFalse();
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.read(id).failure()).isEmpty();
    assertThat(plane.things(id)).containsExactly("chair");
    assertThat(sealed(id, "import_from")).isFalse();
    assertThat(plane.server.databases()).hasSize(1);
  }

  @Test
  void aDatabaseElsewhereIsUsedWhenItAnswers() {
    DatabaseLink link = plane.server.elsewhere();
    DatabaseId id = plane.add(new DatabaseWish.Connect(link));

    assertThat(plane.prepare(id)).isFalse();
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.link(id)).isEqualTo(link);
    assertThat(plane.listener.news).anyMatch(it -> it.contains("answers: PostgreSQL"));
  }

  @Test
  void aWrongPasswordFailsAtOnceAndIsLookedAtAgainByTheNextDeployment() {
    DatabaseLink link = plane.server.elsewhere();
    DatabaseId id =
        plane.add(
            new DatabaseWish.Connect(
                new DatabaseLink(
                    link.place(), new DatabaseLogin(link.login().user(), new Secret("wrong")))));
    plane.prepare(id);
    plane.jobs.runDue();

    assertThat(plane.listener.events).containsExactly("failed DATABASE_UNREACHABLE");
    assertThat(plane.read(id).failure().orElseThrow().code())
        .isEqualTo(FailureCode.DATABASE_UNREACHABLE);

    plane.server.addLogin(
        link.place().name(), new DatabaseLogin(link.login().user(), new Secret("wrong")));
    assertThat(plane.prepare(id)).isFalse();
    plane.jobs.runDue();
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.read(id).failure()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0"})
  void ourOwnStoreIsNobodysDatabase(String host) {
    InetSocketAddress store = DatabasePlane.STORE.hosts().getFirst();
    DatabaseLink link =
        new DatabaseLink(
            new DatabasePlace(DatabaseType.POSTGRES, host, store.getPort(), "postgres", Map.of()),
            new DatabaseLogin("slipway", new Secret("guessed-password")));

    assertThatThrownBy(() -> plane.service.requirePossible(new DatabaseWish.Connect(link)))
        .isInstanceOf(RequestException.class)
        .hasMessageStartingWith("database.url: ");
    assertThatThrownBy(() ->
            plane.service.requirePossible(
                new DatabaseWish.Create(DatabaseType.POSTGRES, Optional.of(link))))
        .hasMessageStartingWith("database.import_from: ");

    DatabaseId id = plane.add(new DatabaseWish.Connect(link));
    plane.prepare(id);
    plane.jobs.runDue();
    assertThat(plane.read(id).failure().orElseThrow().message()).contains("keeps its own data");
  }

  @Test
  void buildsAreLetThroughToWhatIsMadeHereAndToAddressesButToNoName() {
    int storePort = DatabasePlane.STORE.hosts().getFirst().getPort();

    assertThat(doorTo(plane.ready())).isPresent();
    assertThat(doorTo(connected("127.0.0.1", 2))).isPresent();
    assertThat(doorTo(connected("localhost", 2))).isPresent();
    assertThat(doorTo(connected("db.example.org", 2))).isEmpty();
    assertThat(doorTo(connected("127.0.0.1", storePort))).isEmpty();
  }

  private Optional<DatabasePlace> doorTo(DatabaseId id) {
    return plane.database.read(tx -> plane.service.doorTo(tx, id));
  }

  private DatabaseId connected(String host, int port) {
    return plane.add(
        new DatabaseWish.Connect(
            new DatabaseLink(
                new DatabasePlace(DatabaseType.POSTGRES, host, port, "shop", Map.of()),
                new DatabaseLogin("ada", new Secret("p4ssword")))));
  }

  @Test
  void withoutAServerOfThatTypeItIsRefused() {
    plane.server.configured(false);

    assertThatThrownBy(() ->
            plane.service.requirePossible(
                new DatabaseWish.Create(DatabaseType.POSTGRES, Optional.empty())))
        .isInstanceOfSatisfying(
            RequestException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
  }

  @Test
  void aServerThatIsAwayForAMomentIsWaitedFor() {
    DatabaseId id = plane.addNew();
    plane.prepare(id);
    plane.server.away(true);
    plane.jobs.runDue();
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.PREPARING);

    plane.server.away(false);
    later();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.server.databases()).hasSize(1);
  }

  @Test
  void wherePatienceEndsItFailsWithWhatTheServerSaid() {
    DatabaseId id = plane.addNew();
    plane.prepare(id);
    plane.server.away(true);
    plane.jobs.runDue();
    String subject = plane.jobs.waiting(PrepareJob.KIND).getFirst();

    giveUp(subject);

    assertThat(plane.read(id).failure().orElseThrow().message())
        .isEqualTo("The server does not answer.");
    assertThat(plane.listener.events).containsExactly("failed DATABASE_UNREACHABLE");
  }

  private void giveUp(String subject) {
    plane.projects.jobs().stream()
        .filter(job -> job.kind().equals(PrepareJob.KIND))
        .findFirst()
        .orElseThrow()
        .giveUp(
            subject,
            new TransientException(
                "again",
                new AppFailure(FailureCode.DATABASE_UNREACHABLE, "The server does not answer.")));
  }

  @Test
  void itIsMadeOnceWhereverTheServerIsKilled() {
    DatabaseLink source = plane.server.elsewhere();
    plane.server.dumps.add(source, List.of("chair"));
    int steps = 0;
    boolean killed;
    do {
      DatabaseId id = importing(source);
      killed = plane.killedAfter(steps++, PrepareJob.KIND);
      later();

      assertThat(plane.read(id).status()).as("killed at %d", steps).isEqualTo(DatabaseStatus.READY);
      assertThat(plane.things(id)).containsExactly("chair");
      assertThat(plane.server.databases()).hasSize(steps);
      assertThat(plane.server.logins(plane.link(id).place().name())).hasSize(1);
      assertThat(plane.count("database_leftover")).isZero();
    } while (killed);
    assertThat(steps).isGreaterThan(15);
  }

  @Test
  void aCopyThatNobodyWaitsForEndsAndBeginsAnewForTheNext() throws InterruptedException {
    DatabaseId id = importing(plane.server.elsewhere());
    plane.server.dumps.hang();
    Thread job = Thread.ofVirtual().start(plane.jobs::runDue);
    plane.server.dumps.begun.await();
    plane.listener.awaited(false);
    job.join();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.PREPARING);
    assertThat(plane.server.databases()).isEmpty();

    plane.server.dumps.work();
    plane.listener.awaited(true);
    assertThat(plane.prepare(id)).isFalse();
    plane.jobs.runDue();
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
  }

  @Test
  void aRunThatIsOvertakenChangesNothing() {
    DatabaseId id = importing(plane.server.elsewhere());
    String subject = plane.jobs.waiting(PrepareJob.KIND).getFirst();
    plane.server.dumps.meanwhile(() -> {
      var _ = plane.jobs.run(PrepareJob.KIND, subject);
      plane.server.dumps.add(plane.link(id), List.of("of the program"));
    });
    plane.jobs.runDue();

    assertThat(plane.things(id)).containsExactly("of the program");
    assertThat(plane.server.databases()).hasSize(1);
    assertThat(plane.listener.events).containsExactly("ready");
  }

  @Test
  void ofOneAccountHalfOfTheJobsRunAtATime() {
    List<Job.Outcome> lastFirst = new ArrayList<>();
    copyWithinEachOther(DatabaseProjects.JOBS_AT_ONCE / 2 + 1, lastFirst);

    assertThat(lastFirst.getFirst()).isInstanceOf(Job.Outcome.Again.class);
    assertThat(lastFirst.subList(1, lastFirst.size())).containsOnly(Job.Outcome.DONE);
    later();
    assertThat(plane.count("database_project WHERE status = 'READY'")).isEqualTo(lastFirst.size());
  }

  private void copyWithinEachOther(int copies, List<Job.Outcome> lastFirst) {
    String subject = new Task(importing(plane.server.elsewhere()), 0).subject();
    if (copies > 1) {
      plane.server.dumps.meanwhile(() -> copyWithinEachOther(copies - 1, lastFirst));
    }
    lastFirst.add(plane.jobs.run(PrepareJob.KIND, subject));
  }

  private DatabaseId importing(DatabaseLink source) {
    DatabaseId id = plane.add(new DatabaseWish.Create(DatabaseType.POSTGRES, Optional.of(source)));
    plane.prepare(id);
    return id;
  }

  private boolean sealed(DatabaseId id, String column) {
    return plane.count("database_project WHERE id = '%s' AND %s IS NOT NULL".formatted(id, column))
        == 1;
  }

  private void later() {
    plane.clock.advance(Duration.ofMinutes(2));
    plane.jobs.runDue();
  }
}
