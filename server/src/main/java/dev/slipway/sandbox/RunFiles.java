package dev.slipway.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What is in the directory of a run. All but {@code cgroups} is written by the supervisor. */
record RunFiles(Path directory) {
  Optional<ProcessIdentity> identity() {
    return read("identity").flatMap(ProcessIdentity::parse);
  }

  /** Whether a supervisor has begun to write its identity, maybe not to the end. */
  boolean begun() {
    return Files.exists(directory.resolve("identity"));
  }

  /** The outermost process that keeps the program apart, or the program itself. */
  Optional<Long> child() {
    return read("child")
        .filter(line -> line.endsWith("\n"))
        .map(line -> Long.valueOf(line.strip()));
  }

  /** Empty until the program has ended, and for ever if the supervisor was killed. */
  Optional<Ending> ending() {
    return read("exit")
        .map(line -> line.strip().split(" ", -1))
        .map(fields -> {
          int status = Integer.parseInt(fields[0]);
          List<String> limits = Arrays.asList(fields).subList(1, fields.length);
          return new Ending(
              status,
              status != 0 && limits.contains("memory"),
              status != 0 && limits.contains("processes"));
        });
  }

  Cgroup cgroup() {
    return new Cgroup(read("cgroups").stream().flatMap(String::lines).map(Path::of).toList());
  }

  void write(Cgroup cgroup) {
    StringBuilder lines = new StringBuilder();
    cgroup.directories().forEach(path -> lines.append(path).append('\n'));
    try {
      Files.writeString(directory.resolve("cgroups"), lines, StandardOpenOption.CREATE);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to " + directory + " failed", e);
    }
  }

  /** What the supervisor and the sandbox themselves complained about. */
  String complaints() {
    return read("supervisor.log").orElse("").strip();
  }

  /** The files of the ring of output, oldest first. */
  List<Path> output() {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "output.*")) {
      found.forEach(files::add);
    } catch (IOException gone) {
      return List.of();
    }
    files.sort(Comparator.comparingLong(RunFiles::number));
    return files;
  }

  List<OutputRing.Numbered> numberedOutput() {
    return output().stream().map(file -> new OutputRing.Numbered(number(file), file)).toList();
  }

  private static long number(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring(name.indexOf('.') + 1));
  }

  private Optional<String> read(String name) {
    try {
      return Optional.of(
          new String(Files.readAllBytes(directory.resolve(name)), StandardCharsets.UTF_8));
    } catch (IOException absent) {
      return Optional.empty();
    }
  }
}
