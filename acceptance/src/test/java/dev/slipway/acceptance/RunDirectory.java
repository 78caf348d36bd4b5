package dev.slipway.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What lies on disk of one running copy of an app.
 *
 * @param port at which it listens, or is about to
 */
record RunDirectory(Path directory, int port) {
  /** Empty where it has no port yet, or is being deleted. */
  static Optional<RunDirectory> of(Path directory) {
    try {
      String port = Files.readString(directory.resolve("port")).strip();
      return Optional.of(new RunDirectory(directory, Integer.parseInt(port)));
    } catch (IOException | NumberFormatException notYet) {
      return Optional.empty();
    }
  }

  String name() {
    return directory.getFileName().toString();
  }

  /** Names of its programs by process id. */
  Map<Long, String> processes() {
    return ProcessTable.of(directory);
  }

  boolean runs(String program) {
    return processes().values().stream().anyMatch(name -> name.startsWith(program));
  }
}
