package dev.slipway.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttachedPostgresTest {
  private final Path dataDir = TestFolders.make();
  private final PostgresSettings settings = PostgresSettings.below(dataDir);

  @AfterEach
  void delete() {
    TestFolders.delete(dataDir);
  }

  private EmbeddedPostgres started() {
    TestFolders.lendPrograms(settings);
    return EmbeddedPostgres.start(settings);
  }

  @Test
  void theStoreOfAServerThatRunsIsUsedAndGoesOn() {
    try (DirectoryLock server = DirectoryLock.acquire(dataDir);
        EmbeddedPostgres postgres = started()) {
      try (AttachedPostgres attached = AttachedPostgres.open(dataDir)) {
        assertThat(attached.address()).isEqualTo(postgres.address());
      }
      assertThat(EmbeddedPostgres.running(settings)).isPresent();
      assertThat(server).isNotNull();
    }
  }

  @Test
  void whileNoServerRunsTheStoreLivesAsLongAsTheCommand() {
    started().close();

    try (AttachedPostgres attached = AttachedPostgres.open(dataDir);
        Database database = Database.connect(attached.address())) {
      int one = database.read(tx -> tx.createQuery("SELECT 1").mapTo(int.class).one());
      assertThat(one).isOne();
      assertThatThrownBy(() -> DirectoryLock.acquire(dataDir))
          .as("no server starts meanwhile")
          .isInstanceOf(IllegalStateException.class);
    }

    assertThat(EmbeddedPostgres.running(settings)).isEmpty();
    DirectoryLock.acquire(dataDir).close();
  }

  @Test
  void withoutAServerEverNothingIsMade() {
    assertThatThrownBy(() -> AttachedPostgres.open(dataDir)).hasMessageContaining("no server");
    assertThat(dataDir).isEmptyDirectory();
    assertThatThrownBy(() -> AttachedPostgres.open(dataDir.resolve("elsewhere")))
        .hasMessageContaining("no server");
  }

  @Test
  void lostKeysAreNamed() {
    started().close();
    TestFolders.delete(dataDir.resolve("keys"));

    assertThatThrownBy(() -> AttachedPostgres.open(dataDir))
        .hasMessageContaining("keys")
        .hasMessageContaining("backup");
  }

  @Test
  void anotherUsersServerIsLeftAlone() throws IOException {
    started().close();
    Path cluster = settings.home().resolve("cluster");
    UserPrincipal account = Files.getOwner(cluster);
    assumeTrue(account.getName().equals("slipway-db"), "files are given away by root alone");
    UserPrincipal other =
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName("daemon");
    Files.setOwner(cluster, other);
    Files.setOwner(dataDir.resolve("keys"), other);

    assertThatThrownBy(() -> AttachedPostgres.open(dataDir)).hasMessageContaining("as daemon");

    Files.setOwner(cluster, account);
    AttachedPostgres.open(dataDir).close(); // an ordinary user ran it before root did
  }
}
