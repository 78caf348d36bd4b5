package dev.slipway.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What must be on the machine besides the JDK. */
final class Programs {
  private Programs() {}

  /** Says in one sentence what to install. */
  static void require(String... names) {
    for (String name : names) {
      if (find(name).isEmpty()) {
        throw new AssertionError(
            "The acceptance tests need %s on the PATH: install it.".formatted(name));
      }
    }
  }

  private static Optional<Path> find(String name) {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).stream()
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Runs a program to its end, and answers what it printed. */
  static String run(Path directory, String... argv) {
    ProcessBuilder builder =
        new ProcessBuilder(argv).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", argv) + " failed: " + output);
      }
      return output.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
