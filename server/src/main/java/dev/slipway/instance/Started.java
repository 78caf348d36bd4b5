package dev.slipway.instance;

import dev.slipway.core.Failure;
import dev.slipway.edge.Target;
import java.util.List;

/** How the start of an instance ended. */
public sealed interface Started {
  /** It answers; it takes requests once it is marked healthy. */
  record Healthy(Target target) implements Started {}

  /**
   * It was ended, nothing of it is left.
   *
   * @param lastLines what the program printed last, not masked
   */
  record Failed(Failure failure, List<String> lastLines) implements Started {}
}
