package dev.slipway.recovery;

import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where a restore makes what it puts in place, the master key too: gone with it, or a Ctrl-C. */
final class Workplace implements AutoCloseable {
  private final Path path;
  private final Thread removal = new Thread(this::removeWhatCanBe, "removal of a workplace");

  /** What one that was killed left in that place is gone. */
  Workplace(Path path) throws IOException {
    this.path = path;
    Trees.delete(path);
    folder(path, "rwx--x--x");
    Runtime.getRuntime().addShutdownHook(removal);
  }

  /** For what is unpacked; nobody else sees into it. */
  Path unpacked() throws IOException {
    return folder(path.resolve("unpacked"), "rwx------");
  }

  /** For what is made of it; the account that PostgreSQL has comes through. */
  Path made() throws IOException {
    return folder(path.resolve("made"), "rwx--x--x");
  }

  /** For what is not wanted any more. */
  Path discarded() throws IOException {
    return folder(path.resolve("discarded"), "rwx------");
  }

  static Path folder(Path path, String permissions) throws IOException {
    Files.createDirectories(path);
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(removal);
    } catch (IllegalStateException e) {
      return; // it is at work
    }
    Trees.delete(path);
  }

  // Somebody may still be writing there; the next start of a server, or restore, removes the rest.
  private void removeWhatCanBe() {
    try {
      Trees.delete(path);
    } catch (UncheckedIOException e) {
      return;
    }
  }
}
