package dev.slipway.dbproject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.AppFailure;
import dev.slipway.core.DatabaseId;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DropTest {
  private final DatabasePlane plane = new DatabasePlane();

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aDatabaseIsDroppedAfterALastBackup() {
    DatabaseId id = plane.ready("chair");

    assertThat(drop(id, true).status()).isEqualTo(DatabaseStatus.DROPPING);
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.DROPPED);
    assertThat(plane.read(id).droppedAt()).contains(plane.clock.instant());
    assertThat(plane.backups(id)).extracting(Backup::reason).containsExactly(Backup.Reason.DROP);
    assertThat(plane.server.databases()).isEmpty();
    assertThat(plane.count("database_leftover")).isZero();
    assertThat(plane.count("database_project WHERE password IS NOT NULL")).isZero();
    assertThat(plane.prepare(id)).isTrue();
    assertThatThrownBy(() -> plane.database.read(tx -> plane.service.variables(tx, id)))
        .isInstanceOf(AppFailure.class)
        .hasMessageContaining("restore it from a backup");
    assertThatThrownBy(() -> plane.link(id)).hasMessageContaining("is dropped");
  }

  @Test
  void whereTheBackupFailsItStays() {
    DatabaseId id = plane.ready("chair");
    plane.server.dumps.fail("no");
    drop(id, true);
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.read(id).failure().orElseThrow().message()).contains("nothing was changed");
    assertThat(plane.things(id)).containsExactly("chair");

    assertThat(drop(id, false).status()).isEqualTo(DatabaseStatus.DROPPED);
    plane.jobs.runDue();
    assertThat(plane.server.databases()).isEmpty();
  }

  @Test
  void itIsGoneOnceItsServerIsThereAgain() {
    DatabaseId id = plane.ready("chair");
    plane.server.away(true);
    drop(id, false);
    plane.jobs.runDue();
    assertThat(plane.server.databases()).hasSize(1);

    plane.server.away(false);
    later();
    assertThat(plane.server.databases()).isEmpty();
  }

  @Test
  void itIsBackedUpAndGoneWhereverTheServerIsKilled() {
    int steps = 0;
    boolean killed;
    do {
      DatabaseId id = plane.ready("chair");
      drop(id, true);
      killed = plane.killedAfter(steps++, DropJob.KIND);
      later();

      assertThat(plane.read(id).status())
          .as("killed at %d", steps)
          .isEqualTo(DatabaseStatus.DROPPED);
      assertThat(plane.backups(id).getFirst().status()).isEqualTo(Backup.Status.COMPLETE);
      assertThat(plane.server.databases()).isEmpty();
      assertThat(plane.count("database_backup WHERE status = 'RUNNING'")).isZero();
    } while (killed);
    assertThat(steps).isGreaterThan(1);
  }

  @Test
  void aDropThatWasCutOffAnywhereOnTheServerIsFinished() {
    int steps = 0;
    boolean killed;
    do {
      DatabaseId id = plane.ready("chair");
      drop(id, false);
      killed = plane.killedAfter(steps++, SweepJob.KIND);
      later();
      assertThat(plane.server.databases()).as("killed at %d", steps).isEmpty();
      assertThat(plane.count("database_leftover")).isZero();
    } while (killed);
    assertThat(steps).isGreaterThan(3);
  }

  @Test
  void aConnectedOneIsForgottenAndStaysWhereItIs() {
    DatabaseLink link = plane.server.elsewhere();
    DatabaseId id = plane.add(new DatabaseWish.Connect(link));
    plane.prepare(id);
    plane.jobs.runDue();

    assertThat(drop(id, true).status()).isEqualTo(DatabaseStatus.DROPPED);
    plane.jobs.runDue();
    assertThat(plane.server.opens(link)).isTrue();
    assertThat(plane.count("database_project WHERE link IS NOT NULL")).isZero();
  }

  @Test
  void oneThatIsBeingMadeIsGoneForWhoWaitsToo() {
    DatabaseLink source = plane.server.elsewhere();
    DatabaseId id = plane.add(new DatabaseWish.Create(DatabaseType.POSTGRES, Optional.of(source)));
    plane.prepare(id);
    plane.server.dumps.meanwhile(
        () -> plane.database.useTransaction(tx -> plane.service.drop(tx, id)));
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.DROPPED);
    assertThat(plane.listener.events).containsExactly("failed DATABASE_UNREACHABLE");
    assertThat(plane.server.databases()).isEmpty();
    assertThat(plane.count("database_project WHERE import_from IS NOT NULL")).isZero();
  }

  @Test
  void asPartOfSomethingElseItEndsWhateverIsBeingDone() {
    DatabaseId id = plane.ready("chair");
    Backup backup = plane.service.backUp(plane.account, id);
    plane.jobs.runDue();
    plane.server.dumps.add(plane.link(id), List.of("table"));
    var _ = plane.service.restore(plane.account, id, backup.id());
    plane.server.dumps.meanwhile(
        () -> plane.database.useTransaction(tx -> plane.service.drop(tx, id)));
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.DROPPED);
    assertThat(plane.server.databases()).isEmpty();
    assertThat(plane.count("database_leftover")).isZero();
    plane.database.useTransaction(tx -> plane.service.drop(tx, id)); // stays as it is
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.DROPPED);
  }

  private DatabaseProject drop(DatabaseId id, boolean withBackup) {
    return plane.service.drop(plane.account, id, withBackup);
  }

  private void later() {
    plane.clock.advance(Duration.ofMinutes(2));
    plane.jobs.runDue();
  }
}
