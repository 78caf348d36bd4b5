package dev.slipway.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.PostgresSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code slipway admin backup} and {@code restore}. */
class AdminBackupTest {
  private final AdminPlace place = new AdminPlace();
  private final AdminPlace other = new AdminPlace(18_300);
  private Path archive = Path.of("");
  private String key = "";

  @BeforeEach
  void makeServer(@TempDir Path folder) {
    archive = folder.resolve("slipway.tar");
    place.startServer();
    key =
        place
            .admin("key", "create", "--account", "owner@example.org", "--name", "ci", "--json")
            .json()
            .get("api_key")
            .asText();
  }

  @AfterEach
  void close() {
    place.close();
    other.close();
  }

  @Test
  void aServerIsMadeAgainInAnotherPlaceFromWhatARunningOneWrote() throws IOException {
    AdminPlace.Result written = place.admin("backup", archive.toString());
    assertThat(written.err()).isEmpty();
    assertThat(written.out()).contains("IT HOLDS THE MASTER KEY");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)))
        .isEqualTo("rw-------");
    assertThat(archive.getParent()).isDirectoryNotContaining("glob:**/.*");

    AdminPlace.Result restored = other.admin("restore", archive.toString());
    assertThat(restored.err()).isEmpty();
    assertThat(restored.out()).contains("Start the server");
    assertThat(Files.readString(masterKey(other))).isEqualTo(Files.readString(masterKey(place)));

    other.startServer();
    assertThat(other.statusWith(key)).isEqualTo(200);
    assertThat(other.statusWith("slip_another")).isEqualTo(401);
    place.stopServer();
    assertThat(place.admin("backup", archive.resolveSibling("stopped.tar").toString()).status())
        .isZero();
  }

  @Test
  void whatWasWrittenWithoutTheKeyWantsThatKeyAndNoOther() throws IOException {
    place.admin("backup", archive.toString(), "--without-keys");
    assertThat(entries()).isNotEmpty().noneMatch(name -> name.contains("master"));
    Path kept = Files.copy(masterKey(place), archive.resolveSibling("kept.json"));
    Path another = Files.writeString(archive.resolveSibling("another.json"), "{}");

    assertThat(other.admin("restore", archive.toString()).err()).contains("--key");
    assertThat(other.admin("restore", archive.toString(), "--key", another.toString()).err())
        .contains("another key");
    assertNothingIn(other);

    AdminPlace.Result restored =
        other.admin("restore", archive.toString(), "--key", kept.toString());
    assertThat(restored.err()).isEmpty();
    other.startServer();
    assertThat(other.statusWith(key)).isEqualTo(200);
  }

  @Test
  void nothingThatIsThereIsOverwritten() throws IOException {
    place.admin("backup", archive.toString());
    assertThat(place.admin("backup", archive.toString()).err()).contains("exists");
    assertThat(place.admin("restore", archive.toString()).err()).contains("another server uses");

    place.stopServer();
    assertThat(place.admin("restore", archive.toString()).err()).contains("not empty", "--replace");

    AdminPlace.Result replaced = place.admin("restore", archive.toString(), "--replace", "--json");
    assertThat(replaced.err()).isEmpty();
    Path aside = Path.of(replaced.json().get("replaced").asText());
    assertThat(aside.resolve("keys").resolve("master.json")).exists();
    assertThat(aside.resolve("postgres").resolve("cluster")).isDirectory();
    place.startServer();
    assertThat(place.statusWith(key)).isEqualTo(200);
  }

  @Test
  void aFileThatIsDamagedOrNoneOfOursIsRefusedAndLeavesNothing() throws IOException {
    place.admin("backup", archive.toString());
    byte[] whole = Files.readAllBytes(archive);

    assertRefused(Arrays.copyOf(whole, whole.length / 2), "is damaged");
    assertRefused(Arrays.copyOf(whole, 0), "no archive");
    assertRefused("a letter, and no archive at all".repeat(100).getBytes(UTF_8), "no archive");
    byte[] changed = whole.clone();
    changed[new String(whole, ISO_8859_1).indexOf("worker-") + 10] ^= 1;
    assertRefused(changed, "checksum");
    assertRefused(with(archive, "../escaped", TarArchiveEntry.LF_NORMAL), "no archive has");
    assertRefused(
        with(archive, "data/uploads/../../x", TarArchiveEntry.LF_NORMAL), "no archive has");
    assertRefused(
        with(archive, "data/worker", TarArchiveEntry.LF_SYMLINK), "more than plain files");
    assertRefused(with(archive, "data/worker", TarArchiveEntry.LF_LINK), "more than plain files");
    assertRefused(ofOtherSchema(archive), "another version");
  }

  @Test
  void aRestoreThatIsCutOffKeepsTheServerFromStartingAndIsRunAgain() throws IOException {
    place.admin("backup", archive.toString());
    place.stopServer();
    assertThat(other.admin("restore", archive.toString()).err()).isEmpty();

    // As after a kill between the last move and the end.
    Files.writeString(other.dataDir().resolve(".restore-moves-in"), "\n\n");
    assertCutOff();
    Path damaged =
        Files.write(
            archive.resolveSibling("damaged.tar"),
            Arrays.copyOf(Files.readAllBytes(archive), (int) Files.size(archive) / 2));
    assertThat(other.admin("restore", damaged.toString()).err()).contains("is damaged");
    assertCutOff();
    assertThat(other.admin("restore", archive.toString()).err()).isEmpty();

    // As after one while what was there was moved aside.
    Path data = other.dataDir();
    Files.writeString(data.resolve(".restore-moves-out"), "replaced-then\n\n");
    Files.move(
        data.resolve("keys"), Files.createDirectory(data.resolve("replaced-then")).resolve("keys"));
    assertCutOff();
    AdminPlace.Result again = other.admin("restore", archive.toString(), "--replace");
    assertThat(again.err()).isEmpty();
    assertThat(again.out()).contains("replaced-then");
    assertThat(data.resolve("replaced-then")).isDirectoryContaining("glob:**/{keys,postgres}");

    other.startServer();
    assertThat(other.statusWith(key)).isEqualTo(200);
  }

  private void assertCutOff() {
    assertThat(AdminPlace.startFailure(other)).contains("cut off", "again");
    assertThat(other.admin("account", "list").err()).contains("cut off", "again");
  }

  @Test
  void aKeyThatIsApartIsBroughtThereAndThatOfAnotherServerIsNeverOverwritten() throws IOException {
    place.admin("backup", archive.toString());
    Path apart = archive.resolveSibling("apart.json");
    other.useKeyFile(apart);
    Files.writeString(apart, "of another server");
    assertThat(other.admin("restore", archive.toString()).err()).contains("move it away first");
    assertThat(
            other.admin("restore", archive.toString(), "--key", masterKey(place).toString()).err())
        .contains("move it away first");
    assertThat(apart).hasContent("of another server");
    assertNothingIn(other);

    Files.delete(apart);
    assertThat(other.admin("restore", archive.toString()).err()).isEmpty();
    assertThat(apart).hasSameTextualContentAs(masterKey(place));
    other.startServer();
    assertThat(other.statusWith(key)).isEqualTo(200);
  }

  @Test
  void aStoreOfTheOperatorsIsFilledWhereItIsEmpty() throws IOException {
    place.admin("backup", archive.toString());
    try (EmbeddedPostgres postgres =
            EmbeddedPostgres.start(PostgresSettings.below(other.dataDir()));
        AdminPlace outside = new AdminPlace(18_400)) {
      outside.useStore(postgres.address());
      assertThat(outside.admin("restore", archive.toString()).err()).isEmpty();
      outside.startServer();
      assertThat(outside.statusWith(key)).isEqualTo(200);

      assertThat(outside.admin("backup", archive.resolveSibling("second.tar").toString()).err())
          .isEmpty();
      assertThat(outside.admin("restore", archive.toString()).err())
          .contains("another server uses");
      outside.stopServer();
      assertThat(outside.admin("restore", archive.toString(), "--replace").err())
          .contains("is not empty", "store.url");

      // As after a kill between the store's commit and the end.
      Path marker = outside.dataDir().resolve(".restore-moves-in");
      Files.writeString(marker, "\njdbc:postgresql://elsewhere/slipway\n");
      assertThat(outside.admin("restore", archive.toString()).err()).contains("is not empty");
      Files.writeString(marker, "\n" + postgres.address().jdbcUrl() + "\n");
      assertThat(outside.admin("restore", archive.toString()).err())
          .contains("had come to its end");
      outside.startServer();
      assertThat(outside.statusWith(key)).isEqualTo(200);
    }
  }

  private void assertRefused(byte[] file, String reason) throws IOException {
    Path refused = Files.write(archive.resolveSibling("refused.tar"), file);
    AdminPlace.Result result = other.admin("restore", refused.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains(reason).hasLineCount(1);
    assertNothingIn(other);
  }

  private static void assertNothingIn(AdminPlace place) {
    assertThat(place.dataDir()).isDirectoryNotContaining(path -> !path.endsWith("lock"));
  }

  /** The beginning of an archive, and then an entry that is not ours. */
  private static byte[] with(Path archive, String name, byte kind) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (InputStream in = Files.newInputStream(archive);
        TarArchiveInputStream from = new TarArchiveInputStream(in);
        TarArchiveOutputStream to = new TarArchiveOutputStream(bytes)) {
      to.putArchiveEntry(from.getNextEntry());
      from.transferTo(to);
      to.closeArchiveEntry();
      TarArchiveEntry entry = new TarArchiveEntry(name, kind, true);
      entry.setLinkName("/etc/passwd");
      to.putArchiveEntry(entry);
      to.closeArchiveEntry();
    }
    return bytes.toByteArray();
  }

  /** Its beginning, which is looked at before all else, as another version would write it. */
  private static byte[] ofOtherSchema(Path archive) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (InputStream in = Files.newInputStream(archive);
        TarArchiveInputStream from = new TarArchiveInputStream(in);
        TarArchiveOutputStream to = new TarArchiveOutputStream(bytes)) {
      TarArchiveEntry manifest = new TarArchiveEntry(from.getNextEntry().getName());
      byte[] content =
          new String(from.readAllBytes(), UTF_8)
              .replaceFirst("\"schema\" : \\d+", "\"schema\" : 999")
              .getBytes(UTF_8);
      manifest.setSize(content.length);
      to.putArchiveEntry(manifest);
      to.write(content);
      to.closeArchiveEntry();
    }
    return bytes.toByteArray();
  }

  private static Path masterKey(AdminPlace of) {
    return of.dataDir().resolve("keys").resolve("master.json");
  }

  private List<String> entries() throws IOException {
    List<String> names = new ArrayList<>();
    try (InputStream in = Files.newInputStream(archive);
        TarArchiveInputStream tar = new TarArchiveInputStream(in)) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        names.add(entry.getName());
      }
    }
    return names;
  }
}
