package dev.slipway.runtime;

import dev.slipway.core.EnvVars;
import dev.slipway.core.InstanceId;
import dev.slipway.core.Limits;
import java.nio.file.Path;
import java.util.List;

/**
 * An instance to be started.
 *
 * @param release the release's files, read-only; the program works in a copy-on-write view of them
 *     that goes with the instance
 * @param argv the program, found through the PATH of the engine
 * @param env all variables of the program save {@code PORT}, which the engine sets and which wins
 * @param port leased for this instance alone, on the loopback address
 */
public record InstanceSpec(
    InstanceId id, Path release, List<String> argv, EnvVars env, int port, Limits limits) {
  public InstanceSpec {
    argv = List.copyOf(argv);
  }
}
