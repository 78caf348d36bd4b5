package dev.slipway.build;

import dev.slipway.core.Serving;
import dev.slipway.release.BuildKey;
import dev.slipway.release.Release;
import dev.slipway.source.Commit;
import java.util.List;
import java.util.Optional;

/**
 * A release and how it is served.
 *
 * @param framework the value of the API field {@code framework}
 * @param tools the exact versions that its program needs, for example {@code node@22.12.0}
 * @param key what it was made from; empty where that was not whole
 * @param reused whether it is one of an earlier build
 */
public record BuiltRelease(
    Release release,
    Commit commit,
    String framework,
    Serving serving,
    List<String> tools,
    Optional<BuildKey> key,
    boolean reused) {
  public BuiltRelease {
    tools = List.copyOf(tools);
  }
}
