package dev.slipway.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A machine is lost, and what it served serves again from an archive. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RecoveryTest {
  private static final Duration FILLING_MAY_TAKE = Duration.ofSeconds(60);

  private Path archive = Path.of("");
  private String printed = "";
  private SlipwayProcess slipway;
  private App app;
  private App notes;
  private String first = "";

  @BeforeAll
  void loseAMachine() throws IOException {
    archive = Files.createTempDirectory("slipway-archive").resolve("slipway.tar");
    String migration;
    String migrationOfNotes;
    String key;
    try (SlipwayProcess lost = SlipwayProcess.start()) {
      migrationOfNotes = keepNotes(lost);
      Repository repository = lost.repository();
      repository.commit(ExpressApp.named("first"));
      App before = lost.migrate(repository, Map.of("GREETING", "a-secret-greeting"));
      first = before.first().id();
      repository.commit(ExpressApp.named("second"));
      before.deploy().awaitLive();
      printed = lost.admin("backup", archive.toString());
      migration = lost.api().get("/v1/migrations?limit=1").get(0).get("id").asText();
      key = lost.key();
    }
    slipway = SlipwayProcess.restored(archive, key);
    app = App.of(slipway, slipway.api().get("/v1/migrations/" + migration));
    notes = App.of(slipway, slipway.api().get("/v1/migrations/" + migrationOfNotes));
  }

  /** In a database that is backed up; answers the migration. */
  private static String keepNotes(SlipwayProcess lost) {
    Repository repository = lost.repository();
    repository.commit(NotesApp.ofNode());
    Map<String, String> database = Map.of("type", "postgres", "action", "create");
    String migration =
        lost.api()
            .post(
                "/v1/migrations",
                Map.of("source", "folder", "repo", repository.name(), "database", database))
            .get("id")
            .asText();
    App notes = App.of(lost, lost.api().get("/v1/migrations/" + migration));
    notes.first().awaitLive();
    assertThat(lost.visit(notes.host(), "/add?text=chair").body()).isEqualTo("added");
    Database.of(notes).backUp();
    return migration;
  }

  @AfterAll
  void end() throws IOException {
    slipway.close();
    Files.delete(archive);
    Files.delete(archive.getParent());
  }

  @Test
  void theAppServesAgainWithItsSecretsAndCanBeRolledBack() {
    assertThat(printed).contains("IT HOLDS THE MASTER KEY", "backups of databases: 1.");
    assertThat(app.visit().body()).contains("second");

    app.rollBackTo(new Deployment(slipway, first)).awaitLive();

    assertThat(app.visit().body()).contains("first").contains("a-secret-greeting");
  }

  @Test
  void aDatabaseIsFilledFromItsBackup() {
    awaitNotes();
    Wait.until(
        "the database is ready",
        FILLING_MAY_TAKE,
        () -> Database.of(notes).read().get("status").asText().equals("ready"));
  }

  @Test
  void aServerThatIsReplacedLeavesNoProgramsBehind() {
    awaitNotes();
    app.visit();
    slipway.terminate();
    assertThat(slipway.appProcesses()).isNotEmpty();

    slipway.admin("restore", archive.toString(), "--replace");
    assertThat(slipway.processes()).isEmpty();
    assertThat(slipway.directories(".")).anyMatch(name -> name.startsWith("replaced-"));

    slipway.startAgain();
    assertThat(app.visit().body()).contains("second");
    awaitNotes();
  }

  private void awaitNotes() {
    Wait.until("the notes are there", FILLING_MAY_TAKE, () -> notes.visit().body().equals("chair"));
  }
}
