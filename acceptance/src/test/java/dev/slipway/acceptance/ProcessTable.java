package dev.slipway.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The processes of the machine, read from {@code /proc}. */
final class ProcessTable {
  private ProcessTable() {}

  /**
   * Those that name the directory on their command line, in their environment or as the one they
   * are in, and all below them.
   *
   * @return names of the programs by process id
   */
  static Map<Long, String> of(Path directory) {
    Map<Long, String> programs = new TreeMap<>();
    Map<Long, Long> parents = new HashMap<>();
    Set<Long> found = new TreeSet<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : entries) {
        long pid = Long.parseLong(process.getFileName().toString());
        String command = text(process.resolve("cmdline"));
        if (command.isEmpty()) {
          continue; // of the kernel, or ended and not yet waited for
        }
        programs.put(pid, text(process.resolve("comm")).strip());
        parents.put(pid, parent(process));
        if (command.contains(directory.toString())
            || text(process.resolve("environ")).contains(directory.toString())
            || link(process.resolve("cwd")).startsWith(directory.toString())) {
          found.add(pid);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean grown = true;
    while (grown) {
      List<Long> children =
          parents.keySet().stream().filter(pid -> found.contains(parents.get(pid))).toList();
      grown = found.addAll(children);
    }
    programs.keySet().retainAll(found);
    return programs;
  }

  /** As {@code kill -9} does; one that has ended already is passed over. */
  static void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  /** False for one that has ended, waited for or not. */
  static boolean runs(long pid) {
    return !text(Path.of("/proc", Long.toString(pid), "cmdline")).isEmpty();
  }

  /** Whether any process of the machine shows the text on its command line, as {@code ps} does. */
  static boolean anyShows(String text) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : entries) {
        if (text(process.resolve("cmdline")).contains(text)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long parent(Path process) {
    String stat = text(process.resolve("stat"));
    // The name, in parentheses, may hold spaces.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    return fields.length > 1 ? Long.parseLong(fields[1]) : 0;
  }

  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException endedOrForbidden) {
      return "";
    }
  }

  private static String link(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException endedOrForbidden) {
      return "";
    }
  }
}
