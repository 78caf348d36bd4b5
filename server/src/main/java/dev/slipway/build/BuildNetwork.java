package dev.slipway.build;

import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.SandboxSpec.Network;
import dev.slipway.tool.OperatorSettings;
import java.util.Optional;

/**
 * The network of one build, made when its first program starts: a build that finds all in its
 * caches needs none. Thread-safe.
 */
final class BuildNetwork implements AutoCloseable {
  private final Sandbox sandbox;
  private final OperatorSettings operator;
  private Optional<Network> made = Optional.empty();

  BuildNetwork(Sandbox sandbox, OperatorSettings operator) {
    this.sandbox = sandbox;
    this.operator = operator;
  }

  synchronized Network get() {
    if (made.isEmpty()) {
      made = Optional.of(operator.onThisMachine().isEmpty() ? sandbox.outside() : Network.HOST);
    }
    return made.get();
  }

  @Override
  public synchronized void close() {
    made.ifPresent(Network::close);
  }
}
