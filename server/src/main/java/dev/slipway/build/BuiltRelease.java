package dev.slipway.build;

import dev.slipway.release.Release;
import dev.slipway.source.Commit;
import java.util.List;
import java.util.Map;

/**
 * A release and how it is run.
 *
 * @param framework the value of the API field {@code framework}
 * @param start the program to run in the release's directory, as an argument vector
 * @param startEnv variables that the program gets unless the user set them
 */
public record BuiltRelease(
    Release release,
    Commit commit,
    String framework,
    List<String> start,
    Map<String, String> startEnv) {
  public BuiltRelease {
    start = List.copyOf(start);
    startEnv = Map.copyOf(startEnv);
  }
}
