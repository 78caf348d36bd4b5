package dev.slipway.dbproject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.BackupId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.database.DatabaseLink;
import dev.slipway.dbproject.DatabaseListener.Following;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RestoreTest {
  private final DatabasePlane plane = new DatabasePlane();

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void whatTheBackupHoldsComesBackAndWhatWasThereIsBackedUpFirst() {
    DatabaseId id = plane.ready("chair");
    BackupId backup = backUp(id);
    plane.server.dumps.add(plane.link(id), List.of("table"));
    DatabaseLink before = plane.link(id);
    plane.listener.following(new Following.Underway());

    assertThat(restore(id, backup).status()).isEqualTo(DatabaseStatus.RESTORING);
    plane.jobs.runDue();
    assertThat(plane.listener.events).containsExactly("changed");
    assertThat(plane.things(id)).containsExactly("chair");
    assertThat(plane.server.opens(before)).as("until what uses it is restarted").isTrue();

    plane.listener.following(new Following.Done());
    later();
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.server.databases()).containsExactly(plane.link(id).place().name());
    assertThat(plane.count("database_leftover")).isZero();

    Backup first = plane.backups(id).getFirst();
    assertThat(first.reason()).isEqualTo(Backup.Reason.RESTORE);
    restore(id, first.id());
    later();
    assertThat(plane.things(id)).containsExactly("chair", "table");
  }

  @Test
  void nothingIsLostOrLeftWhereverTheServerIsKilled() {
    DatabaseId id = plane.ready("chair");
    BackupId backup = backUp(id);
    int steps = 0;
    boolean killed;
    do {
      plane.server.dumps.add(plane.link(id), List.of("table"));
      restore(id, backup);
      killed = plane.killedAfter(steps++, RestoreJob.KIND);
      assertThat(plane.things(id)).as("killed at %d", steps).contains("chair");
      later();

      assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
      assertThat(plane.things(id)).containsExactly("chair");
      assertThat(plane.server.databases()).containsExactly(plane.link(id).place().name());
      assertThat(plane.count("database_leftover")).isZero();
      assertThat(plane.count("database_backup WHERE status = 'RUNNING'")).isZero();
    } while (killed);
    assertThat(steps).isGreaterThan(15);
  }

  @Test
  void aBackupThatCannotBeReadLeavesTheDatabaseAsItIs() {
    DatabaseId id = plane.ready("chair");
    BackupId backup = backUp(id);
    DatabaseLink before = plane.link(id);
    plane.server.dumps.meanwhile(() -> plane.server.dumps.fail("pg_restore said no."));
    restore(id, backup);
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.read(id).failure().orElseThrow().message()).contains("said no");
    assertThat(plane.link(id)).isEqualTo(before);
    assertThat(plane.things(id)).containsExactly("chair");
    assertThat(plane.server.databases()).hasSize(1);
  }

  @Test
  void withoutTheBackupThatIsMadeFirstNothingIsRestored() {
    DatabaseId id = plane.ready("chair");
    BackupId backup = backUp(id);
    plane.server.dumps.fail("pg_dump said no.");
    restore(id, backup);
    plane.jobs.runDue();

    assertThat(plane.read(id).failure().orElseThrow().message())
        .contains("made first failed, so nothing was changed: pg_dump said no.");
    assertThat(plane.backups(id).getFirst().status()).isEqualTo(Backup.Status.FAILED);
    assertThat(plane.server.databases()).hasSize(1);
  }

  @Test
  void aDroppedDatabaseComesBackAndWhoWaitsForItGoesOn() {
    DatabaseId id = plane.ready("chair");
    var _ = plane.service.drop(plane.account, id, true);
    plane.jobs.runDue();
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.DROPPED);

    restore(id, plane.backups(id).getFirst().id());
    assertThat(plane.prepare(id)).isFalse();
    later();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.read(id).droppedAt()).isEmpty();
    assertThat(plane.listener.events).containsExactly("ready", "changed");
    assertThat(plane.things(id)).containsExactly("chair");
    assertThat(plane.backups(id)).hasSize(1);
  }

  @Test
  void aDroppedOneThatCannotBeRestoredStaysDropped() {
    DatabaseId id = plane.ready("chair");
    var _ = plane.service.drop(plane.account, id, true);
    plane.jobs.runDue();
    plane.server.dumps.fail("no");
    restore(id, plane.backups(id).getFirst().id());
    plane.jobs.runDue();

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.DROPPED);
    assertThat(plane.listener.events).containsExactly("failed DATABASE_FAILED");
    assertThat(plane.server.databases()).isEmpty();
  }

  @Test
  void whatIsLostWithItsServerComesBackFromItsNewestBackup() {
    DatabaseId id = plane.ready("chair");
    var _ = backUp(id);
    DatabaseId without = plane.ready("lamp");
    plane.server.drop(plane.link(id).place().name());

    LostStore.Outcome outcome = bringBack(plane.server.id());
    later();

    assertThat(outcome).isEqualTo(new LostStore.Outcome(1, 1, List.of()));
    assertThat(plane.read(without).status()).isEqualTo(DatabaseStatus.DROPPED);

    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.things(id)).containsExactly("chair");
    assertThat(plane.backups(id)).hasSize(1);
  }

  @Test
  void theBackupOfALostDatabaseOutlivesARestoreThatFails() {
    DatabaseId id = plane.ready("chair");
    BackupId backup = backUp(id);
    plane.server.drop(plane.link(id).place().name());
    plane.clock.advance(DatabasePlane.KEEP.plusDays(1));
    var _ = bringBack(plane.server.id());
    plane.server.dumps.fail("no");
    plane.jobs.runDue();
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.DROPPED);

    plane.projects.recover();
    later();
    plane.server.dumps.work();
    restore(id, backup);
    later();
    assertThat(plane.things(id)).containsExactly("chair");
  }

  @Test
  void whoeverWasRestoringALostDatabaseGetsThatBackup() {
    DatabaseId id = plane.ready("chair");
    BackupId wanted = backUp(id);
    plane.server.dumps.add(plane.link(id), List.of("table"));
    plane.clock.advance(Duration.ofMinutes(1));
    backUp(id);
    restore(id, wanted);
    plane.server.drop(plane.text("SELECT name FROM database_project"));

    assertThat(bringBack(plane.server.id()).restoring()).isEqualTo(1);
    later();
    assertThat(plane.things(id)).containsExactly("chair");
  }

  @Test
  void whatWasBeingMadeOnAServerThatIsNotLostIsNeverDropped() {
    DatabaseId id = plane.ready("chair");
    BackupId backup = backUp(id);
    restore(id, backup);
    String made = "db_later_in_use";
    plane.database.useTransaction(tx ->
        tx.execute(
            "INSERT INTO database_leftover (name, login, database_id, type, server, state) VALUES (?, '', ?, 'POSTGRES', ?, 'MADE')",
            made,
            id.value(),
            plane.server.id()));

    assertThat(bringBack("lost").left()).containsExactly(plane.server.id() + " " + made + "/");
    assertThat(plane.count("database_leftover")).isZero();
    later();
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
  }

  private LostStore.Outcome bringBack(String server) {
    return plane.database.inTransaction(
        tx -> LostStore.bringBack(tx, server, plane.clock.instant()));
  }

  @Test
  void onlyACompleteBackupOfThatDatabaseCanBeRestored() {
    DatabaseId id = plane.ready("chair");
    DatabaseId other = plane.ready("lamp");
    BackupId ofOther = backUp(other);
    Backup running = plane.service.backUp(plane.account, id);

    assertThatThrownBy(() -> restore(id, ofOther))
        .isInstanceOfSatisfying(
            RequestException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    assertThatThrownBy(() -> restore(id, running.id())).hasMessageContaining("is running");
  }

  private BackupId backUp(DatabaseId id) {
    Backup backup = plane.service.backUp(plane.account, id);
    plane.jobs.runDue();
    return backup.id();
  }

  private DatabaseProject restore(DatabaseId id, BackupId backup) {
    return plane.service.restore(plane.account, id, backup);
  }

  private void later() {
    plane.clock.advance(Duration.ofMinutes(2));
    plane.jobs.runDue();
  }
}
