package dev.slipway.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** uv, as pip gets it. */
final class PythonIndex implements ToolSource {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Pattern FOUND_VERSIONS = Pattern.compile("from versions: (?!none)");

  private static final Map<String, String> SETTINGS =
      Map.of(
          "PIP_DISABLE_PIP_VERSION_CHECK", "1",
          "PIP_NO_CACHE_DIR", "1",
          "PIP_ROOT_USER_ACTION", "ignore",
          "PIP_RETRIES", "1",
          "PIP_DEFAULT_TIMEOUT", "30");

  private final ToolRuns runs;
  private final Host host;

  PythonIndex(ToolRuns runs, Host host) {
    this.runs = runs;
    this.host = host;
  }

  @Override
  public Fetched fetch(String name, VersionRange range, Path workplace)
      throws InterruptedException {
    String why = "this server has no Python";
    for (ProvidedTool python : host.all("python")) {
      ToolRuns.Answer answer = install(python, name + range.forPython(), workplace);
      if (answer.succeeded()) {
        return new Fetched.Complete(version(name, workplace), workplace, List.of());
      }
      why = "pip: " + answer.lines().stream().reduce((_, last) -> last).orElse("no word");
      if (!answer.mentions("No module named")) {
        return answer.lines().stream().anyMatch(line -> FOUND_VERSIONS.matcher(line).find())
            ? new Fetched.NoSuchVersion()
            : new Fetched.Unreachable(why);
      }
    }
    return new Fetched.Unreachable(why);
  }

  private ToolRuns.Answer install(ProvidedTool python, String requirement, Path workplace)
      throws InterruptedException {
    List<String> argv =
        List.of(
            "python3",
            "-m",
            "pip",
            "install",
            "--no-deps",
            "--only-binary=:all:",
            "--target=.",
            requirement);
    return runs.run(workplace, argv, SETTINGS, Provision.of(python), LIMIT);
  }

  /** As the directory beside an installed package says it. */
  static Version version(String name, Path packages) {
    Pattern info = Pattern.compile(Pattern.quote(name) + "-(.+)\\.dist-info");
    try (Stream<Path> entries = Files.list(packages)) {
      return entries
          .map(path -> info.matcher(path.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> Version.parse(matcher.group(1)))
          .flatMap(Optional::stream)
          .findFirst()
          .orElseThrow(
              () -> new IllegalStateException("no version of " + name + " in " + packages));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + packages + " failed", e);
    }
  }
}
