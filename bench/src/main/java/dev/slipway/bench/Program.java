package dev.slipway.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs other programs. */
final class Program {
  private Program() {}

  /** Runs to the end; its output is shown only when it fails. */
  static void run(Path directory, String... argv) throws InterruptedException {
    try {
      Path output = Files.createTempFile("slipway-bench", ".log");
      try {
        Process process = start(directory, output.toFile(), Map.of(), List.of(argv));
        if (process.waitFor() != 0) {
          throw new IllegalStateException(
              String.join(" ", argv) + " failed: " + Files.readString(output));
        }
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it; {@code settings} are added to our own environment. */
  static Process start(
      Path directory, File output, Map<String, String> settings, List<String> argv) {
    ProcessBuilder builder =
        new ProcessBuilder(argv)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output));
    builder.environment().putAll(settings);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks it to end (SIGTERM) and waits until it has. */
  static void end(Process process) {
    process.destroy();
    process.onExit().join();
  }
}
