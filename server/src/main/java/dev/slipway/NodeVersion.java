package dev.slipway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The version of the Node on this host's PATH. */
final class NodeVersion {
  private NodeVersion() {}

  /** For example {@code 20.11.1}; empty where there is no Node. */
  static Optional<String> ofHost() {
    try {
      Process node =
          new ProcessBuilder("node", "--version")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String version = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return version.startsWith("v") ? Optional.of(version.substring(1).strip()) : Optional.empty();
    } catch (IOException noNode) {
      return Optional.empty();
    }
  }
}
