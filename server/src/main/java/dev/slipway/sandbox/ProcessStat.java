package dev.slipway.sandbox;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What {@code /proc} says of one process at one moment. */
record ProcessStat(long pid, char state, long parent, long startTime) {
  /** Empty where there is no such process. */
  static Optional<ProcessStat> of(long pid) {
    try {
      // A program's name may hold anything, parentheses included: the last one ends it.
      String line = read(pid, "stat");
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
      return Optional.of(
          new ProcessStat(
              pid, fields[0].charAt(0), Long.parseLong(fields[1]), Long.parseLong(fields[19])));
    } catch (IOException | IndexOutOfBoundsException gone) {
      return Optional.empty();
    }
  }

  static List<ProcessStat> all() {
    String[] names = new File("/proc").list();
    return Stream.of(names == null ? new String[0] : names)
        .filter(name -> Character.isDigit(name.charAt(0)))
        .flatMap(name -> of(Long.parseLong(name)).stream())
        .toList();
  }

  boolean ended() {
    return state == 'Z' || state == 'X';
  }

  /** Its ids from our process namespace inwards; one element where it is in ours. */
  List<Long> idsByNamespace() {
    try {
      return read(pid, "status")
          .lines()
          .filter(line -> line.startsWith("NSpid:"))
          .flatMap(line -> Arrays.stream(line.substring(6).strip().split("\\s+", -1)))
          .map(Long::valueOf)
          .toList();
    } catch (IOException gone) {
      return List.of();
    }
  }

  private static String read(long pid, String file) throws IOException {
    byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(pid), file));
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
