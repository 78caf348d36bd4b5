package dev.slipway.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Pythons that the host does not have, as uv gets them: not from a registry, often not reached. */
final class PythonBuilds implements ToolSource {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Map<String, String> SETTINGS =
      Map.of(
          "UV_NO_CACHE", "1",
          "UV_HTTP_TIMEOUT", "10",
          "UV_HTTP_RETRIES", "0",
          "UV_PYTHON_PREFERENCE", "only-managed");
  private static final Duration UNREACHED_FOR = Duration.ofHours(1);
  private static final String NO_SUCH_VERSION = "No download found";
  private static final Pattern BUILD = Pattern.compile("cpython-(\\d+\\.\\d+\\.\\d+)-.*");

  private final ToolRuns runs;
  private final UvCommand uv;

  PythonBuilds(ToolRuns runs, UvCommand uv) {
    this.runs = runs;
    this.uv = uv;
  }

  @Override
  public Fetched fetch(String name, VersionRange range, Path workplace)
      throws InterruptedException {
    ToolRuns.Answer answer =
        runs.run(
            workplace,
            List.of(
                "uv",
                "python",
                "install",
                "--no-bin",
                "--install-dir=.",
                range.forPython().isEmpty() ? ">=3" : range.forPython()),
            SETTINGS,
            Provision.of(uv.provided()),
            LIMIT);
    if (answer.succeeded()) {
      return complete(workplace);
    }
    return answer.mentions(NO_SUCH_VERSION)
        ? new Fetched.NoSuchVersion()
        : new Fetched.Unreachable(
            "uv: " + answer.lines().stream().reduce((_, last) -> last).orElse("no word").strip(),
            UNREACHED_FOR);
  }

  private static Fetched complete(Path workplace) {
    try (Stream<Path> builds = Files.list(workplace)) {
      return builds
          .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
          .flatMap(path -> build(path).stream())
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("uv left no Python in " + workplace));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + workplace + " failed", e);
    }
  }

  private static Optional<Fetched> build(Path path) {
    Matcher matcher = BUILD.matcher(path.getFileName().toString());
    return matcher.matches()
        ? Version.parse(matcher.group(1)).map(it -> new Fetched.Complete(it, path, List.of()))
        : Optional.empty();
  }
}
