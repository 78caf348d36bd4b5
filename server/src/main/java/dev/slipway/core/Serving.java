package dev.slipway.core;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a release answers requests. */
public sealed interface Serving {
  /**
   * A program that is told its port by {@code PORT}.
   *
   * @param directory that it runs in, relative to the release's root; empty for the root
   * @param commands argument vectors, run one after the other; the last one stays. Their words may
   *     hold variables, see {@link Words}
   * @param env variables that it gets unless the user set them; their values may hold variables too
   * @param path directories that are looked through for programs first, relative to the root
   * @param healthCheckPath what it must answer unless the user says otherwise
   * @param assets where it has files that pages ask for when the next release serves already
   */
  record Program(
      String directory,
      List<List<String>> commands,
      Map<String, String> env,
      List<String> path,
      Optional<String> healthCheckPath,
      Optional<Assets> assets)
      implements Serving {
    public Program {
      commands = commands.stream().map(List::copyOf).toList();
      env = Map.copyOf(env);
      path = List.copyOf(path);
      if (commands.isEmpty() || commands.stream().anyMatch(List::isEmpty)) {
        throw new IllegalArgumentException("a program needs a command");
      }
    }

    /** One without such files. */
    public Program(
        String directory,
        List<List<String>> commands,
        Map<String, String> env,
        List<String> path,
        Optional<String> healthCheckPath) {
      this(directory, commands, env, path, healthCheckPath, Optional.empty());
    }

    /** One command in the release's root. */
    public static Program of(List<String> command, Map<String, String> env) {
      return new Program("", List.of(command), env, List.of(), Optional.empty());
    }

    public Program with(Optional<Assets> files) {
      return new Program(directory, commands, env, path, healthCheckPath, files);
    }
  }

  /**
   * Files of a program that never change under their names: these hold hashes.
   *
   * @param directory that they are in, relative to the release's root
   * @param path below which they are asked for, without slashes at its ends
   */
  record Assets(String directory, String path) {}

  /**
   * Files, without a process.
   *
   * @param directory relative to the release's root; empty for the root
   * @param fallback the file that answers where a page is unknown, such as {@code index.html} of a
   *     single-page application; without one it is a 404
   * @param cleanUrls whether {@code /about} is answered by {@code about.html}
   */
  record Site(String directory, Optional<String> fallback, boolean cleanUrls) implements Serving {}
}
