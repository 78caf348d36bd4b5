package dev.slipway;

import dev.slipway.db.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The name of a worker: the same for every start on one data directory, and nobody else's. */
final class WorkerName {
  private WorkerName() {}

  static String of(Path dataDir) throws IOException {
    Path file = dataDir.resolve("worker");
    if (!Files.exists(file)) {
      PrivateFile.write(file, "worker-" + UUID.randomUUID());
    }
    return Files.readString(file).strip();
  }
}
