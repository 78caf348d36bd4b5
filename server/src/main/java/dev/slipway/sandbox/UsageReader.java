package dev.slipway.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads what a program takes: of its group where the kernel counts that, else of its processes one
 * by one.
 *
 * @param pids of the program
 */
record UsageReader(Cgroup group, Set<Long> pids) {
  private static final long NANOS_PER_TICK = 10_000_000; // of /proc, the same on all of today's
  private static final int USER_TIME = 11;
  private static final int TIMES = 4; // its own, and that of its children that have ended
  private static final long PAGE_BYTES = 4096;

  Usage read() {
    return new Usage(
        firstOf("cpu.stat", "usage_usec").stream()
            .map(micros -> micros * 1000)
            .boxed()
            .findFirst()
            .or(() -> number("cpuacct.usage"))
            .orElseGet(() -> pids.stream().mapToLong(UsageReader::cpuNanos).sum()),
        number("memory.current")
            .map(bytes -> bytes - firstOf("memory.stat", "inactive_file").orElse(0))
            .or(() ->
                number("memory.usage_in_bytes")
                    .map(bytes -> bytes - firstOf("memory.stat", "total_inactive_file").orElse(0)))
            .orElseGet(() -> pids.stream().mapToLong(UsageReader::residentBytes).sum()));
  }

  private Optional<Long> number(String file) {
    return lines(file).findFirst().map(line -> Long.parseLong(line.strip()));
  }

  /** The number that stands behind a word. */
  private OptionalLong firstOf(String file, String word) {
    return lines(file)
        .filter(line -> line.startsWith(word + " "))
        .mapToLong(line -> Long.parseLong(line.substring(word.length() + 1).strip()))
        .findFirst();
  }

  private Stream<String> lines(String file) {
    return group.directories().stream()
        .map(directory -> directory.resolve(file))
        .filter(Files::exists)
        .flatMap(UsageReader::linesOf);
  }

  private static Stream<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException gone) {
      return Stream.empty();
    }
  }

  private static long cpuNanos(long pid) {
    return linesOf(Path.of("/proc", Long.toString(pid), "stat"))
        .mapToLong(line -> {
          List<String> fields = List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
          return fields.subList(USER_TIME, USER_TIME + TIMES).stream()
              .mapToLong(Long::parseLong)
              .sum();
        })
        .map(ticks -> ticks * NANOS_PER_TICK)
        .sum();
  }

  private static long residentBytes(long pid) {
    return linesOf(Path.of("/proc", Long.toString(pid), "statm"))
        .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]) * PAGE_BYTES)
        .sum();
  }
}
