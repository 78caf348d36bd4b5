package dev.slipway.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Poetry in an environment of its own, made by uv: unlike the other tools it needs packages besides
 * itself, and a Python of the host to run it.
 */
final class PoetrySource implements ToolSource {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Map<String, String> SETTINGS =
      Map.of("UV_NO_CACHE", "1", "UV_HTTP_TIMEOUT", "30", "UV_PYTHON_DOWNLOADS", "never");

  /** What uv says when the index answered and has no such thing. */
  private static final String NO_SUCH_VERSION = "No solution found";

  private final ToolRuns runs;
  private final Host host;
  private final UvCommand uv;

  PoetrySource(ToolRuns runs, Host host, UvCommand uv) {
    this.runs = runs;
    this.host = host;
    this.uv = uv;
  }

  @Override
  public Fetched fetch(String name, VersionRange range, Path workplace)
      throws InterruptedException {
    Optional<ProvidedTool> python =
        host.all("python").stream().max(Comparator.comparing(PoetrySource::version));
    if (python.isEmpty()) {
      return new Fetched.Unreachable("this server has no Python");
    }
    List<List<String>> commands =
        List.of(
            // Relocatable, as it moves once it is complete.
            List.of("uv", "venv", "--quiet", "--relocatable", "--python=python3", "venv"),
            List.of(
                "uv",
                "pip",
                "install",
                "--only-binary=:all:",
                "--python=venv/bin/python",
                name + range.forPython()));
    for (List<String> command : commands) {
      // Asked for by each, so that it counts as in use.
      Provision tools = Provision.of(uv.provided(), python.get());
      ToolRuns.Answer answer = runs.run(workplace, command, SETTINGS, tools, LIMIT);
      if (!answer.succeeded()) {
        return answer.mentions(NO_SUCH_VERSION)
            ? new Fetched.NoSuchVersion()
            : new Fetched.Unreachable(
                "uv: " + answer.lines().stream().reduce((_, last) -> last).orElse("no word"));
      }
    }
    return complete(name, workplace, python.get().directories());
  }

  private static Fetched complete(String name, Path workplace, List<Path> needs) {
    try (Stream<Path> libraries = Files.list(workplace.resolve("venv/lib"))) {
      Path packages = libraries.findFirst().orElseThrow().resolve("site-packages");
      Path bin = Files.createDirectory(workplace.resolve("bin"));
      Files.createSymbolicLink(bin.resolve(name), Path.of("../venv/bin", name));
      return new Fetched.Complete(PythonIndex.version(name, packages), workplace, needs);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + workplace + " failed", e);
    }
  }

  private static Version version(ProvidedTool tool) {
    return Version.parse(tool.version()).orElseThrow();
  }
}
