package dev.slipway.build;

import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxSpec.Network;
import dev.slipway.tool.OperatorSettings;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The network of one build, made when its first program starts: a build that finds all in its
 * caches needs none. Thread-safe.
 */
final class BuildNetwork implements AutoCloseable {
  private final Sandbox sandbox;
  private final OperatorSettings operator;
  private final List<InetSocketAddress> reached;
  private Optional<Network> made = Optional.empty();

  /**
   * @param reached what its programs may need of this host, {@link Sandbox#outside}
   */
  BuildNetwork(Sandbox sandbox, OperatorSettings operator, List<InetSocketAddress> reached) {
    this.sandbox = sandbox;
    this.operator = operator;
    this.reached = List.copyOf(reached);
  }

  synchronized Network get() {
    if (made.isEmpty()) {
      made =
          Optional.of(operator.onThisMachine().isEmpty() ? sandbox.outside(reached) : Network.HOST);
    }
    return made.get();
  }

  @Override
  public synchronized void close() {
    made.ifPresent(Network::close);
  }
}
