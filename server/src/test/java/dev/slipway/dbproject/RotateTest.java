package dev.slipway.dbproject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.RequestException;
import dev.slipway.database.DatabaseLink;
import dev.slipway.dbproject.DatabaseListener.Following;
import dev.slipway.job.Job;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RotateTest {
  private final DatabasePlane plane = new DatabasePlane();

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void theEarlierLoginWorksUntilNothingUsesItAndIsThenRevoked() {
    DatabaseId id = plane.ready("chair");
    DatabaseLink earlier = plane.link(id);
    String version = version(id);
    plane.listener.following(new Following.Underway());

    assertThat(rotate(id).status()).isEqualTo(DatabaseStatus.ROTATING);
    plane.jobs.runDue();
    DatabaseLink later = plane.link(id);
    assertThat(plane.listener.events).containsExactly("changed");
    assertThat(version(id)).isNotEqualTo(version);
    assertThat(later.place()).isEqualTo(earlier.place());
    assertThat(plane.server.opens(earlier)).isTrue();
    assertThat(plane.server.opens(later)).isTrue();
    assertThat(plane.prepare(id)).as("a deployment need not wait").isTrue();

    plane.listener.following(new Following.Done());
    later();
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.server.opens(earlier)).isFalse();
    assertThat(plane.things(id)).containsExactly("chair");
    assertThat(plane.count("database_leftover")).isZero();
  }

  @Test
  void whereAProgramDoesNotRestartItsLoginStaysUntilTheNextRotation() {
    DatabaseId id = plane.ready();
    DatabaseLink earlier = plane.link(id);
    plane.listener.following(
        new Following.Failed(new Failure(FailureCode.START_FAILED, "It did not start.")));
    rotate(id);
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.read(id).failure().orElseThrow().message())
        .contains("It did not start.", "stays valid until the login is rotated again");
    assertThat(plane.server.opens(earlier)).isTrue();

    DatabaseLink second = plane.link(id);
    plane.listener.following(new Following.Done());
    rotate(id);
    later();
    assertThat(plane.read(id).failure()).isEmpty();
    assertThat(plane.server.opens(earlier)).isFalse();
    assertThat(plane.server.opens(second)).isFalse();
    assertThat(plane.server.opens(plane.link(id))).isTrue();
  }

  @Test
  void theEarlierLoginWorksUntilTheBackupIsMadeThatUsesIt() {
    DatabaseId id = plane.ready("chair");
    DatabaseLink earlier = plane.link(id);
    Backup backup = plane.service.backUp(plane.account, id);
    plane.server.dumps.meanwhile(() -> {
      rotate(id);
      String subject = plane.jobs.waiting(RotateJob.KIND).getFirst();
      assertThat(plane.jobs.run(RotateJob.KIND, subject)).isInstanceOf(Job.Outcome.Again.class);
      assertThat(plane.jobs.run(RotateJob.KIND, subject)).isInstanceOf(Job.Outcome.Again.class);
      assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.ROTATING);
      assertThat(plane.count("database_leftover WHERE state = 'REPLACED'")).isOne();
    });
    assertThat(plane.jobs.run(BackupJob.KIND, backup.id().value())).isEqualTo(Job.Outcome.DONE);
    assertThat(plane.server.opens(earlier)).isTrue();

    later();
    assertThat(plane.backups(id).getFirst().status()).isEqualTo(Backup.Status.COMPLETE);
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.server.opens(earlier)).isFalse();
  }

  @Test
  void oneLoginIsLeftWhereverTheServerIsKilled() {
    DatabaseId id = plane.ready("chair");
    int steps = 0;
    boolean killed;
    do {
      DatabaseLink earlier = plane.link(id);
      rotate(id);
      killed = plane.killedAfter(steps++, RotateJob.KIND);
      assertThat(plane.server.opens(plane.link(id))).as("killed at %d", steps).isTrue();
      later();

      assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
      assertThat(plane.server.opens(earlier)).isFalse();
      assertThat(plane.things(id)).containsExactly("chair");
      assertThat(plane.server.logins(earlier.place().name())).hasSize(1);
      assertThat(plane.count("database_leftover")).isZero();
    } while (killed);
    assertThat(steps).isGreaterThan(5);
  }

  @Test
  void aServerThatRefusesLeavesTheLoginAsItWas() {
    DatabaseId id = plane.ready();
    DatabaseLink before = plane.link(id);
    plane.server.away(true);
    rotate(id);
    plane.jobs.runDue();
    job()
        .giveUp(
            plane.jobs.waiting(RotateJob.KIND).getFirst(),
            new AppFailure(FailureCode.DATABASE_UNREACHABLE, "The server does not answer."));
    plane.server.away(false);

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.read(id).failure().orElseThrow().message())
        .isEqualTo("The server does not answer.");
    assertThat(plane.link(id)).isEqualTo(before);
    later();
    assertThat(plane.server.logins(before.place().name())).hasSize(1);
  }

  private Job job() {
    return plane.projects.jobs().stream()
        .filter(job -> job.kind().equals(RotateJob.KIND))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void oneThingIsDoneAtATime() {
    DatabaseId id = plane.ready();
    rotate(id);

    assertThatThrownBy(() -> rotate(id))
        .isInstanceOfSatisfying(
            RequestException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    assertThatThrownBy(() -> plane.service.backUp(plane.account, id))
        .hasMessageContaining("is rotating");
    assertThatThrownBy(() -> plane.service.drop(plane.account, id, true))
        .hasMessageContaining("is rotating");
  }

  @Test
  void aConnectedOneIsNotOursToChange() {
    DatabaseId id = plane.add(new DatabaseWish.Connect(plane.server.elsewhere()));
    plane.prepare(id);
    plane.jobs.runDue();

    assertThatThrownBy(() -> rotate(id)).hasMessageContaining("was connected");
    assertThatThrownBy(() -> plane.service.backUp(plane.account, id))
        .hasMessageContaining("was connected");
  }

  @Test
  void whoLooksAtALoginIsWrittenDown() {
    DatabaseId id = plane.ready();

    assertThat(
            plane.count("audit WHERE subject = '%s' AND action = 'database.reveal'".formatted(id)))
        .isOne();
  }

  private DatabaseProject rotate(DatabaseId id) {
    return plane.service.rotate(plane.account, id);
  }

  private String version(DatabaseId id) {
    return plane.database.read(tx -> plane.service.version(tx, id));
  }

  private void later() {
    plane.clock.advance(Duration.ofMinutes(2));
    plane.jobs.runDue();
  }
}
