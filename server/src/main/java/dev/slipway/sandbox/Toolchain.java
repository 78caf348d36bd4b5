package dev.slipway.sandbox;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The language tools of the host that programs are given.
 *
 * @param directories where those live that are not below {@code /usr}; seen read-only by programs
 * @param path the PATH of programs
 */
record Toolchain(List<Path> directories, String path) {
  private static final List<String> TOOLS = List.of("node", "python3");

  /** What a PATH finds, as it would for the server itself. */
  static Toolchain on(String serverPath) {
    Set<Path> directories = new LinkedHashSet<>();
    Set<String> path = new LinkedHashSet<>();
    for (String tool : TOOLS) {
      firstOn(serverPath, tool)
          .filter(file -> !file.startsWith("/usr"))
          .map(Toolchain::parent)
          .ifPresent(bin -> {
            path.add(bin.toString());
            directories.add(bin.endsWith("bin") ? parent(bin) : bin);
          });
    }
    path.addAll(List.of("/usr/local/bin", "/usr/bin", "/bin"));
    return new Toolchain(List.copyOf(directories), String.join(":", path));
  }

  private static Optional<Path> firstOn(String path, String tool) {
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(directory -> directory.startsWith("/"))
        .map(directory -> Path.of(directory, tool))
        .filter(Files::isExecutable)
        .flatMap(file -> program(file).stream())
        .findFirst();
  }

  /** Version managers put scripts on the PATH that need the user's home: those are passed over. */
  private static Optional<Path> program(Path file) {
    try {
      Path real = file.toRealPath();
      try (var in = Files.newInputStream(real)) {
        byte[] start = in.readNBytes(2);
        boolean script = start.length == 2 && start[0] == '#' && start[1] == '!';
        return script ? Optional.empty() : Optional.of(real);
      }
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static Path parent(Path path) {
    return path.resolveSibling("");
  }
}
