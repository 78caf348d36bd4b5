package dev.slipway.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The live processes of one cluster. Every process of PostgreSQL works in its data directory, and
 * nothing else does: that tells it from a stranger who was given the number of a dead one.
 */
record PostgresProcesses(Path dataDirectory) {
  /** The running postmaster with what it says about itself. */
  record Postmaster(ProcessHandle process, PostmasterPid says) {}

  Optional<Postmaster> postmaster() {
    return PostmasterPid.read(dataDirectory)
        .flatMap(says ->
            ProcessHandle.of(says.pid())
                .filter(this::isOurs)
                .map(process -> new Postmaster(process, says)));
  }

  /**
   * Ends what a killed postmaster left: sessions that noticed it end by themselves, one that is
   * busy would keep the shared memory and with it the next start.
   */
  void endLeftovers(Duration patience) {
    if (!Pause.until(() -> all().isEmpty(), patience)) {
      all().forEach(ProcessHandle::destroyForcibly);
      Pause.until(() -> all().isEmpty(), patience);
    }
  }

  /**
   * Removes the postmaster.pid of a dead one: after a reboot its number may be a stranger's, and
   * PostgreSQL would take any process of its own user for itself.
   */
  void forgetDead() {
    if (postmaster().isPresent()) {
      return;
    }
    Path file = dataDirectory.resolve(PostmasterPid.FILE);
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + file, e);
    }
  }

  private List<ProcessHandle> all() {
    return ProcessHandle.allProcesses().filter(this::isOurs).toList();
  }

  /**
   * Asked instead of {@link ProcessHandle#isAlive}, which takes a dead process that nobody reaped,
   * as in a container whose first process is no init, for a live one.
   */
  boolean isOurs(ProcessHandle process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
          .equals(dataDirectory.toRealPath());
    } catch (IOException e) {
      return false; // it ended, it is another user's, or there is no cluster yet
    }
  }
}
