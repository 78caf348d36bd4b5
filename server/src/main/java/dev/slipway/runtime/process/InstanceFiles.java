package dev.slipway.runtime.process;

import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The directory of an instance: the sandbox's run directory and what the runtime adds to it. */
record InstanceFiles(Path directory) {
  /** What the program writes to its own directory. */
  Path scratch() {
    return directory.resolve("scratch");
  }

  /** Makes the directory. */
  void writePort(int port) {
    try {
      Files.createDirectories(directory);
      Files.writeString(directory.resolve("port"), port + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("writing to " + directory + " failed", e);
    }
  }

  /** Empty where no instance was started, or not to this point. */
  Optional<Integer> port() {
    try {
      String line = Files.readString(directory.resolve("port"));
      return line.endsWith("\n") ? Optional.of(Integer.valueOf(line.strip())) : Optional.empty();
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  /** All that the program could write to. It must have ended. */
  void deleteScratch() {
    Stream.of("scratch", "home", "tmp").map(directory::resolve).forEach(Trees::delete);
  }
}
