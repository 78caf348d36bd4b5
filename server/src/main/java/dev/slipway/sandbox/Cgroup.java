package dev.slipway.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The group of one program: a directory a hierarchy, none where the host has no limits.
 *
 * @param directories memory, processes and processors for version 1, one for version 2
 */
record Cgroup(List<Path> directories) {
  private static final Duration END_WITHIN = Duration.ofSeconds(10);

  Cgroup {
    directories = List.copyOf(directories);
  }

  /** What is in it now, as process ids of ours. */
  Set<Long> pids() {
    return directories.stream()
        .limit(1)
        .flatMap(directory -> lines(directory.resolve("cgroup.procs")).stream())
        .map(Long::valueOf)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** How often it was refused another process. */
  long refusedProcesses() {
    return directories.stream()
        .flatMap(directory -> lines(directory.resolve("pids.events")).stream())
        .filter(line -> line.startsWith("max "))
        .mapToLong(line -> Long.parseLong(line.substring("max ".length())))
        .sum();
  }

  /** Kills what is in it and removes it; does nothing where it is gone. */
  void end() {
    Waiting.until(
        END_WITHIN,
        () -> {
          killAll();
          return directories.stream().allMatch(Cgroup::removed);
        });
  }

  private void killAll() {
    for (Path directory : directories) {
      Path kill = directory.resolve("cgroup.kill");
      if (Files.exists(kill)) {
        try {
          Files.write(kill, "1".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException gone) {
          return;
        }
      }
    }
    for (long pid : pids()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** A group that still holds something answers "busy". */
  private static boolean removed(Path directory) {
    try {
      Files.deleteIfExists(directory);
      return true;
    } catch (IOException busy) {
      return false;
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException gone) {
      return List.of();
    }
  }
}
