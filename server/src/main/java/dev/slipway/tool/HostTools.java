package dev.slipway.tool;

import dev.slipway.core.AppFailure;
import dev.slipway.sandbox.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The Node, npm and Pythons of this host, each asked once for its version, in the sandbox: what
 * does not run there is none. Thread-safe.
 */
final class HostTools implements Host {
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final String VERSION_OF_PYTHON =
      "import sys; print('%d.%d.%d' % sys.version_info[:3])";
  private static final String PYTHON_NAME = "python3(\\.\\d+)?";

  private final ToolRuns runs;
  private final Path directory;
  private final Path home;
  private final List<Path> system;
  private final ReentrantLock asking = new ReentrantLock();
  private final Map<String, List<ProvidedTool>> known = new LinkedHashMap<>();

  /**
   * @param directory for links to interpreters, made if absent; what was there is deleted
   * @param home of the server's user, where version managers keep Pythons
   */
  HostTools(ToolRuns runs, Path directory, Path home) {
    this(runs, directory, home, List.of(Path.of("/usr/bin"), Path.of("/usr/local/bin")));
  }

  HostTools(ToolRuns runs, Path directory, Path home, List<Path> system) {
    this.runs = runs;
    this.directory = directory;
    this.home = home;
    this.system = system;
    Trees.delete(directory);
  }

  @Override
  public List<ProvidedTool> all(String name) throws InterruptedException {
    asking.lockInterruptibly();
    try {
      List<ProvidedTool> tools = known.get(name);
      if (tools == null) {
        tools =
            switch (name) {
              case "node", "npm" ->
                  version(List.of(name, "--version"), List.of())
                      .map(version -> List.of(onPath(name, version)))
                      .orElse(List.of());
              case "python" -> pythons();
              default -> List.of();
            };
        known.put(name, tools);
      }
      return tools;
    } finally {
      asking.unlock();
    }
  }

  private List<ProvidedTool> pythons() throws InterruptedException {
    Map<String, ProvidedTool> byVersion = new LinkedHashMap<>();
    version(List.of("python3", "-c", VERSION_OF_PYTHON), List.of())
        .ifPresent(version -> byVersion.put(version, onPath("python", version)));
    for (Path program : interpreters(system)) {
      Optional<String> version =
          version(List.of(program.toString(), "-c", VERSION_OF_PYTHON), List.of());
      if (version.isPresent() && !byVersion.containsKey(version.get())) {
        byVersion.put(version.get(), linked(version.get(), program));
      }
    }
    for (Path installation : installations()) {
      Path program = installation.resolve("bin/python3");
      Optional<String> version =
          version(List.of(program.toString(), "-c", VERSION_OF_PYTHON), List.of(installation));
      if (version.isPresent() && !byVersion.containsKey(version.get())) {
        byVersion.put(
            version.get(),
            new ProvidedTool(
                "python",
                version.get(),
                List.of(installation),
                Optional.of(installation.resolve("bin"))));
      }
    }
    return List.copyOf(byVersion.values());
  }

  private static ProvidedTool onPath(String name, String version) {
    return new ProvidedTool(name, version, List.of(), Optional.empty());
  }

  /** One that has a name such as {@code python3.12} and is to be called {@code python3}. */
  private ProvidedTool linked(String version, Path program) {
    Path bin = directory.resolve("python-" + version);
    try {
      Files.createDirectories(bin);
      for (String name : List.of("python", "python3", program.getFileName().toString())) {
        Path link = bin.resolve(name);
        if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
          Files.createSymbolicLink(link, program);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("linking " + program + " failed", e);
    }
    return new ProvidedTool("python", version, List.of(bin), Optional.of(bin));
  }

  private static List<Path> interpreters(List<Path> directories) {
    List<Path> found = new ArrayList<>();
    for (Path bin : directories) {
      entries(bin)
          .filter(path -> path.getFileName().toString().matches(PYTHON_NAME))
          .sorted()
          .forEach(found::add);
    }
    return found;
  }

  /** Of pyenv and of uv, under the names of their versions. */
  private List<Path> installations() {
    return Stream.of(".pyenv/versions", ".local/share/uv/python")
        .map(home::resolve)
        .flatMap(HostTools::entries)
        .filter(path -> Files.isExecutable(path.resolve("bin/python3")))
        .map(HostTools::real)
        .distinct()
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  private Optional<String> version(List<String> argv, List<Path> readOnly)
      throws InterruptedException {
    try {
      Path nowhere = Files.createDirectories(directory.resolve("nowhere"));
      Provision shown = Provision.of(new ProvidedTool("", "", readOnly, Optional.empty()));
      ToolRuns.Answer answer = runs.run(nowhere, argv, Map.of(), shown, ANSWER);
      return answer.succeeded()
          ? answer.lines().stream().findFirst().flatMap(Version::parse).map(Version::toString)
          : Optional.empty();
    } catch (AppFailure | IllegalStateException noSuchProgram) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("asking " + argv.getFirst() + " for its version failed", e);
    }
  }

  private static Stream<Path> entries(Path directory) {
    if (!Files.isDirectory(directory) || !Files.isReadable(directory)) {
      return Stream.empty();
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + directory + " failed", e);
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + path + " failed", e);
    }
  }
}
