package dev.slipway.tool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Fetches a package of Python's index by pip, as the operator has set it up. */
final class Pip {
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

  Pip(ToolRuns runs, Host host) {
    this.runs = runs;
    this.host = host;
  }

  /**
   * Unpacks it into the directory, which it may write to, with the first Python that has a pip.
   *
   * @param requirement a name and versions
   * @param more options
   * @return why it is not there; empty where it is
   */
  Optional<Fetched> install(String requirement, Path into, String... more)
      throws InterruptedException {
    String why = "this server has no Python";
    for (ProvidedTool python : host.all("python")) {
      ToolRuns.Answer answer =
          runs.run(into, argv(requirement, more), SETTINGS, Provision.of(python), LIMIT);
      if (answer.succeeded()) {
        return Optional.empty();
      }
      why = "pip: " + answer.lines().stream().reduce((_, last) -> last).orElse("no word");
      if (!answer.mentions("No module named")) {
        return Optional.of(
            answer.lines().stream().anyMatch(line -> FOUND_VERSIONS.matcher(line).find())
                ? new Fetched.NoSuchVersion()
                : new Fetched.Unreachable(why));
      }
    }
    return Optional.of(new Fetched.Unreachable(why));
  }

  private static List<String> argv(String requirement, String... more) {
    List<String> argv = new ArrayList<>();
    argv.addAll(List.of("python3", "-m", "pip", "install"));
    argv.addAll(List.of("--no-deps", "--only-binary=:all:", "--target=."));
    argv.addAll(List.of(more));
    argv.add(requirement);
    return argv;
  }
}
