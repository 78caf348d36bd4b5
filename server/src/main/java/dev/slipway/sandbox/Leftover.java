package dev.slipway.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A run directory that nobody wants any more. */
final class Leftover {
  private static final String ENDING = ".ending-";
  private static final Duration WRITTEN_WITHIN = Duration.ofSeconds(1);

  private Leftover() {}

  /**
   * Ends what runs in it and deletes it. First it is renamed: a supervisor that has not written its
   * identity yet finds its directory gone and ends by itself; any other has, and is found by it.
   */
  static void end(Path directory) {
    Path ending = directory;
    if (!directory.getFileName().toString().startsWith(ENDING)) {
      ending = directory.resolveSibling(ENDING + directory.getFileName());
      try {
        Files.move(directory, ending);
      } catch (NoSuchFileException gone) {
        return;
      } catch (IOException e) {
        throw new UncheckedIOException("renaming " + directory + " failed", e);
      }
    }
    RunFiles files = new RunFiles(ending);
    if (files.begun()) {
      Waiting.until(WRITTEN_WITHIN, () -> files.identity().isPresent());
    }
    Optional<SandboxedProcess> run =
        files.identity().map(identity -> SandboxedProcess.found(files, identity));
    run.ifPresent(process -> process.stop(Duration.ZERO));
    files.cgroup().end();
    Trees.delete(ending);
  }
}
