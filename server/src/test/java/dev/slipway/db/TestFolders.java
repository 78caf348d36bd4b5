package dev.slipway.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders for clusters. The programs are unpacked once for all tests, below {@code target}. */
final class TestFolders {
  private static final Path PROGRAMS = Path.of("target", "postgres");

  private TestFolders() {}

  /** Below the system's temporary folder, traversable by PostgreSQL's account. */
  static Path make() {
    return make("rwx--x--x");
  }

  static Path make(String permissions) {
    try {
      Path folder = Files.createTempDirectory("slipway-db-test-").toRealPath();
      return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a temporary folder", e);
    }
  }

  /** Not durable: nothing here outlives the test. */
  static PostgresSettings settings(Path folder) {
    return new PostgresSettings(
        folder.resolve("postgres"),
        PROGRAMS,
        folder.resolve("keys").resolve("store-password"),
        false);
  }

  /** For tests of a cluster that has its programs to itself: a link, as unpacking takes long. */
  static void lendPrograms(PostgresSettings settings) {
    try {
      Files.createDirectories(PROGRAMS);
      Path programs = PostgresBinaries.unpackBelow(PROGRAMS.toAbsolutePath()).root();
      Folders.create(settings.home(), "rwx--x--x");
      Files.createSymbolicLink(settings.binaries().resolve(programs.getFileName()), programs);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lend programs to " + settings.home(), e);
    }
  }

  static void delete(Path folder) {
    try {
      Folders.deleteTree(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }
}
