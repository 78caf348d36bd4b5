package dev.slipway.dbproject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.core.DatabaseId;
import dev.slipway.core.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BackupTest {
  private final DatabasePlane plane = new DatabasePlane();

  @AfterEach
  void close() {
    plane.close();
  }

  @Test
  void aBackupIsAFileThatOnlyTheServerReads() throws IOException {
    DatabaseId id = plane.ready("chair");

    Backup asked = plane.service.backUp(plane.account, id);
    assertThat(asked.status()).isEqualTo(Backup.Status.RUNNING);
    assertThatThrownBy(() -> plane.service.backUp(plane.account, id))
        .hasMessageContaining("is being made");
    plane.jobs.runDue();

    Backup made = plane.backups(id).getFirst();
    assertThat(made.status()).isEqualTo(Backup.Status.COMPLETE);
    assertThat(made.sizeBytes()).hasValue("chair\n".length());
    assertThat(made.expiresAt()).isEqualTo(plane.clock.instant().plus(DatabasePlane.KEEP));
    Path folder = plane.backups.resolve(id.value());
    assertThat(plane.files()).containsExactly(folder.resolve(made.id() + ".dump"));
    assertThat(mode(folder)).isEqualTo("rwx------");
    assertThat(mode(plane.backups)).isEqualTo("rwx------");
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void oneThatFailsSaysWhyAndLeavesNoFile() {
    DatabaseId id = plane.ready("chair");
    plane.server.dumps.fail("pg_dump said no.");
    var _ = plane.service.backUp(plane.account, id);
    plane.jobs.runDue();

    assertThat(plane.backups(id).getFirst().status()).isEqualTo(Backup.Status.FAILED);
    assertThat(plane.backups(id).getFirst().failure().orElseThrow().message())
        .isEqualTo("pg_dump said no.");
    assertThat(plane.files()).isEmpty();
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
  }

  @Test
  void noHalfFileIsLeftByOneThatWasKilled() throws IOException {
    DatabaseId id = plane.ready("chair");
    Backup asked = plane.service.backUp(plane.account, id);
    Path folder = Files.createDirectories(plane.backups.resolve(id.value()));
    Files.writeString(folder.resolve(asked.id() + ".123.partial"), "half");
    Files.writeString(folder.resolve("." + asked.id() + ".123.partial.unfinished"), "half");
    plane.jobs.runDue();

    assertThat(plane.backups(id).getFirst().status()).isEqualTo(Backup.Status.COMPLETE);
    assertThat(plane.files()).containsExactly(folder.resolve(asked.id() + ".dump"));
  }

  @Test
  void whatIsBeingWrittenIsNotTakenForWhatWasLeft() {
    DatabaseId id = plane.ready("chair");
    var _ = plane.service.backUp(plane.account, id);
    plane.server.dumps.meanwhile(() -> {
      assertThat(plane.files()).hasSize(1);
      var _ = plane.jobs.run("database-backup-round", "all");
      assertThat(plane.files()).hasSize(1);
    });
    plane.jobs.runDue();

    assertThat(plane.backups(id).getFirst().status()).isEqualTo(Backup.Status.COMPLETE);
  }

  @Test
  void theDisksReserveIsLeftAlone() {
    try (DatabasePlane full = new DatabasePlane(Long.MAX_VALUE)) {
      DatabaseId id = full.ready("chair");
      var _ = full.service.backUp(full.account, id);
      full.jobs.runDue();

      assertThat(full.backups(id).getFirst().failure().orElseThrow().code())
          .isEqualTo(FailureCode.DISK_FULL);
      assertThat(full.files()).isEmpty();
    }
  }

  @Test
  void everyDatabaseThatWeMadeIsBackedUpOneAtATime() {
    DatabaseId first = plane.ready("chair");
    plane.clock.advance(Duration.ofHours(1));
    DatabaseId second = plane.ready("table");
    DatabaseId connected = plane.add(new DatabaseWish.Connect(plane.server.elsewhere()));
    plane.prepare(connected);
    plane.projects.recover();
    plane.jobs.runDue();
    assertThat(plane.backups(first)).isEmpty();

    pass(Duration.ofHours(23));
    assertThat(plane.backups(first))
        .extracting(Backup::reason)
        .containsExactly(Backup.Reason.SCHEDULE);
    assertThat(plane.backups(second)).isEmpty();
    pass(Duration.ofHours(1));
    assertThat(plane.backups(second)).hasSize(1);
    pass(Duration.ofHours(22));
    assertThat(plane.backups(first)).hasSize(1);
    pass(Duration.ofHours(2));
    assertThat(plane.backups(first)).hasSize(2);
    assertThat(plane.backups(connected)).isEmpty();
  }

  @Test
  void oneThatCouldNotBeMadeIsTriedAgainAnHourLater() {
    DatabaseId id = plane.ready("chair");
    plane.projects.recover();
    plane.server.dumps.fail("no");
    pass(Duration.ofHours(24));
    pass(Duration.ofMinutes(50));
    assertThat(plane.backups(id)).hasSize(1);

    plane.server.dumps.work();
    pass(Duration.ofMinutes(10));
    assertThat(plane.backups(id))
        .extracting(Backup::status)
        .containsExactly(Backup.Status.COMPLETE, Backup.Status.FAILED);
  }

  @Test
  void aRestoreIsFollowedByABackupOfWhatIsThereNow() {
    DatabaseId id = plane.ready("chair");
    backUp(id);
    plane.projects.recover();
    plane.clock.advance(Duration.ofMinutes(1));
    var _ = plane.service.restore(plane.account, id, plane.backups(id).getFirst().id());
    pass(Duration.ofMinutes(1));
    assertThat(plane.read(id).status()).isEqualTo(DatabaseStatus.READY);
    assertThat(plane.backups(id).getFirst().reason()).isEqualTo(Backup.Reason.RESTORE);

    pass(Duration.ofHours(1));
    pass(Duration.ofHours(2));
    assertThat(plane.backups(id))
        .extracting(Backup::reason)
        .containsExactly(Backup.Reason.SCHEDULE, Backup.Reason.RESTORE, Backup.Reason.REQUEST);
  }

  @Test
  void oneThatCannotBeMadeDoesNotTakeTheTurnOfAnother() {
    DatabaseId failing = plane.ready("chair");
    plane.clock.advance(Duration.ofMinutes(30));
    DatabaseId other = plane.ready("table");
    plane.projects.recover();
    plane.server.dumps.fail("no");
    pass(Duration.ofHours(24));
    assertThat(plane.backups(failing)).hasSize(1);
    assertThat(plane.backups(other)).isEmpty();

    pass(Duration.ofHours(1));
    assertThat(plane.backups(failing)).hasSize(1);
    assertThat(plane.backups(other)).hasSize(1);
  }

  @Test
  void whatHasHadItsTimeIsDeletedButNeverTheLastOne() {
    DatabaseId id = plane.ready("chair");
    backUp(id);
    plane.clock.advance(Duration.ofDays(1));
    backUp(id);
    plane.server.dumps.fail("no more");
    plane.projects.recover();
    pass(Duration.ofDays(30));

    assertThat(plane.backups(id).stream().filter(it -> it.status() == Backup.Status.COMPLETE))
        .hasSize(1);
    assertThat(plane.files()).hasSize(1);
  }

  @Test
  void thoseOfADroppedDatabaseStayThirtyDays() {
    DatabaseId id = plane.ready("chair");
    backUp(id);
    plane.projects.recover();
    var _ = plane.service.drop(plane.account, id, false);
    pass(Duration.ofDays(29));
    assertThat(plane.files()).hasSize(1);

    pass(Duration.ofDays(1));
    assertThat(plane.backups(id)).isEmpty();
    assertThat(plane.files()).isEmpty();
  }

  @Test
  void ofADatabaseThatIsGoneThereIsNoFurtherOne() {
    DatabaseId id = plane.ready("chair");
    var _ = plane.service.backUp(plane.account, id);
    var _ = plane.service.drop(plane.account, id, false);
    plane.jobs.runDue();

    assertThat(plane.backups(id))
        .extracting(Backup::status)
        .isEqualTo(List.of(Backup.Status.FAILED));
  }

  private void backUp(DatabaseId id) {
    var _ = plane.service.backUp(plane.account, id);
    plane.jobs.runDue();
  }

  private void pass(Duration time) {
    plane.clock.advance(time);
    plane.jobs.runDue();
    plane.jobs.runDue();
  }
}
