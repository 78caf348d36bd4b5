package dev.slipway.edge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A program that a test runs as a process of its own. It is built by Go once and kept in the user's
 * cache.
 *
 * @param module where it is, without its version
 */
public record GoProgram(String name, String module, String version) {
  private static final int BUILD_MINUTES = 10;

  /** Skips the test where it cannot be built. */
  public Path path() throws IOException, InterruptedException {
    Path kept =
        Path.of(System.getProperty("user.home"), ".cache", "slipway-tests", name + "-" + version);
    if (!Files.isExecutable(kept)) {
      build(kept);
    }
    return kept;
  }

  private void build(Path kept) throws IOException, InterruptedException {
    Path into =
        Files.createDirectories(kept.resolveSibling("build-" + ProcessHandle.current().pid()));
    try {
      ProcessBuilder go =
          new ProcessBuilder("go", "install", module + "@" + version).redirectErrorStream(true);
      go.environment().putAll(Map.of("GOBIN", into.toString()));
      go.redirectOutput(into.resolve("log").toFile());
      Process build = go.start();
      boolean ended = build.waitFor(BUILD_MINUTES, TimeUnit.MINUTES);
      if (!ended) {
        build.destroyForcibly();
      }
      Assumptions.assumeTrue(
          ended && build.exitValue() == 0,
          () -> "Go could not build %s: %s".formatted(name, read(into.resolve("log"))));
      Files.move(into.resolve(name), kept, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Assumptions.abort(
          "These tests need Go (the command go) to build %s: %s".formatted(name, e.getMessage()));
    } finally {
      for (String file : List.of("log", name)) {
        Files.deleteIfExists(into.resolve(file));
      }
      Files.deleteIfExists(into);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
