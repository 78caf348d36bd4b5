package dev.slipway.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.account.AccountStore;
import dev.slipway.account.Accounts;
import dev.slipway.core.TestClock;
import dev.slipway.db.Database;
import dev.slipway.db.FileHold;
import dev.slipway.db.StoreDump;
import dev.slipway.db.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavingTest {
  private static final String DATABASE =
      """
      INSERT INTO database_project
          (id, account_id, type, origin, status, server, name, login, restore_from, created_at)
      SELECT ?, id, 'POSTGRES', 'CREATED', ?, 'here', 'db', 'db_1', ?, now() FROM account
      """;

  private static final String BACKUP =
      """
      INSERT INTO database_backup (id, database_id, status, reason, created_at, expires_at)
      VALUES (?, ?, ?, 'SCHEDULE', now(), now())
      """;

  private final TestClock clock = new TestClock();
  private final Database database = TestDatabase.fresh();
  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void makeServer() throws IOException {
    Files.writeString(folder.resolve("worker"), "worker-1");
    Files.writeString(folder.resolve("master.json"), "a key");
    var _ =
        new Accounts(database, new AccountStore(), clock)
            .bootstrap(
                new Accounts.Bootstrap(
                    "admin@example.org", Optional.empty(), Optional.empty(), "free"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void databasesOfWhichNoBackupIsInTheArchiveAreNamed() throws IOException {
    add("dbp_fine", "READY", "bkp_fine", "COMPLETE", true);
    add("dbp_lostfile", "READY", "bkp_lostfile", "COMPLETE", false);
    add("dbp_never", "READY", "bkp_never", "RUNNING", true);

    Saving.Saved saved = save();

    assertThat(saved.databases()).isEqualTo(1);
    assertThat(saved.withoutBackup()).containsExactly("dbp_lostfile", "dbp_never");
    assertThat(manifest().backups()).containsExactly("bkp_fine");
  }

  @Test
  void theOlderBackupThatIsJustRestoredIsInTheArchiveToo() throws IOException {
    add("dbp_older", "RESTORING", "bkp_1", "COMPLETE", true);
    addBackup("dbp_older", "bkp_2", "COMPLETE", true);
    addBackup("dbp_older", "bkp_3", "COMPLETE", true);

    assertThat(save().databases()).isEqualTo(1);
    assertThat(manifest().backups()).containsExactly("bkp_1", "bkp_3");
  }

  @Test
  void whatLetsSomebodyInIsNotInTheArchiveAsItMayBeWithdrawnByThen() {
    try (StoreDump dump = StoreDump.begin(database.address())) {
      assertThat(dump.tables())
          .extracting(StoreDump.Table::name)
          .contains("app_user", "audit")
          .doesNotContain("session", "invitation", "known_browser", "sign_in_failure");
    }
  }

  @Test
  void twoAtATimeAreRefusedAndNothingIsLeftOfTheSecond() {
    try (FileHold _ = FileHold.acquire(database.address())) {
      assertThatThrownBy(this::save).hasMessageContaining("another backup of this server");
    }
    assertThat(folder).isDirectoryNotContaining("glob:**/{archive,.unfinished}*");
  }

  private Saving.Saved save() {
    return new Saving(database, folder, folder.resolve("master.json"), clock)
        .save(archive(), true, _ -> {});
  }

  private Path archive() {
    return folder.resolve("archive.tar");
  }

  private Manifest manifest() throws IOException {
    try (ArchiveReader reader = new ArchiveReader(archive())) {
      return reader.manifest();
    }
  }

  private void add(String id, String status, String backup, String ofBackup, boolean file)
      throws IOException {
    database.useTransaction(tx -> tx.execute(DATABASE, id, status, backup));
    addBackup(id, backup, ofBackup, file);
  }

  private void addBackup(String owner, String id, String status, boolean file) throws IOException {
    database.useTransaction(tx -> tx.execute(BACKUP, id, owner, status));
    if (file) {
      Path written = folder.resolve("backups").resolve(owner).resolve(id + ".dump");
      Files.createDirectories(written.resolve("..").normalize());
      Files.writeString(written, "rows");
    }
  }
}
