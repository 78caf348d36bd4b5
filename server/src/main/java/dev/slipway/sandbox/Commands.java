package dev.slipway.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of the host that the sandbox itself needs. */
final class Commands {
  private static final List<Path> DIRECTORIES =
      Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin").map(Path::of).toList();

  private Commands() {}

  /** The environment of our own programs: nothing of the server's, nothing of an application's. */
  static void clearEnvironment(ProcessBuilder builder) {
    Map<String, String> env = builder.environment();
    env.clear();
    env.put("PATH", String.join(":", DIRECTORIES.stream().map(Path::toString).toList()));
    env.put("LC_ALL", "C");
  }

  static Optional<String> find(String name) {
    return DIRECTORIES.stream()
        .map(directory -> directory.resolve(name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /** Runs one to its end. */
  static void run(List<String> argv) {
    try {
      ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
      clearEnvironment(builder);
      Process process = builder.start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      if (status != 0) {
        throw new UncheckedIOException(
            new IOException("%s answered %d: %s".formatted(argv, status, said.strip())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during " + argv.getFirst(), e);
    }
  }

  static boolean root() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException e) {
      throw new UncheckedIOException("/proc must be mounted", e);
    }
  }
}
