package dev.slipway.runtime;

import dev.slipway.core.EnvVars;
import dev.slipway.core.InstanceId;
import dev.slipway.core.Limits;
import dev.slipway.core.Serving;
import java.nio.file.Path;
import java.util.List;

/**
 * An instance to be started.
 *
 * @param layers the release's files, read-only, the first above the others; the program works in a
 *     copy-on-write view of them that goes with the instance
 * @param program what to run; words of its commands stand for variables of the program
 * @param tools directories of the host that it is shown, and whose {@code path} is looked through
 *     after the program's own
 * @param env all variables of the program save {@code PORT}, which the engine sets and which wins
 * @param port leased for this instance alone, on the loopback address
 */
public record InstanceSpec(
    InstanceId id,
    List<Path> layers,
    Serving.Program program,
    Tools tools,
    EnvVars env,
    int port,
    Limits limits) {
  public InstanceSpec {
    layers = List.copyOf(layers);
  }

  /**
   * Programs of the host beside those that every sandbox has.
   *
   * @param directories shown read-only at their own paths
   * @param path where programs are in them
   */
  public record Tools(List<Path> directories, List<Path> path) {
    public static final Tools NONE = new Tools(List.of(), List.of());

    public Tools {
      directories = List.copyOf(directories);
      path = List.copyOf(path);
    }
  }
}
