package dev.slipway.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process for good: its id alone is used again by others, and after a reboot.
 *
 * @param startTime in clock ticks since boot, field 22 of {@code /proc/<pid>/stat}
 */
record ProcessIdentity(long pid, long startTime, String bootId) {
  private static final String BOOT_ID = readBootId();

  /** What a supervisor wrote; empty for a line that it has not finished. */
  static Optional<ProcessIdentity> parse(String line) {
    String[] fields = line.strip().split(" ", -1);
    if (!line.endsWith("\n") || fields.length != 3) {
      return Optional.empty();
    }
    return Optional.of(
        new ProcessIdentity(Long.parseLong(fields[0]), Long.parseLong(fields[1]), fields[2]));
  }

  /** The process that has this id now. */
  static Optional<ProcessIdentity> of(long pid) {
    return ProcessStat.of(pid).map(stat -> new ProcessIdentity(pid, stat.startTime(), BOOT_ID));
  }

  /** Whether it still runs; one that has ended and waits for its parent does not. */
  boolean alive() {
    return bootId.equals(BOOT_ID)
        && ProcessStat.of(pid)
            .filter(stat -> stat.startTime() == startTime && !stat.ended())
            .isPresent();
  }

  /** SIGTERM, if it still is this very process. */
  void terminate() {
    if (alive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }
  }

  /** SIGKILL, if it still is this very process. */
  void kill() {
    if (alive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private static String readBootId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("/proc must be mounted", e);
    }
  }
}
