package dev.slipway.framework;

import dev.slipway.core.AppFailure;
import dev.slipway.framework.node.NextJs;
import dev.slipway.framework.node.NodeExpress;
import dev.slipway.framework.node.ReactVite;
import dev.slipway.source.Checkout;
import java.util.List;
import java.util.stream.Stream;

/** All frameworks, and the choice among them. */
public final class Frameworks {
  // Order matters: the first that detects wins.
  private final List<Framework> all = List.of(new NextJs(), new ReactVite(), new NodeExpress());

  /** The values that the API field {@code framework} may have here. */
  public List<String> names() {
    return all.stream().map(Framework::name).toList();
  }

  /**
   * Finds out what an application is, where in its repository it is, and how it is built.
   *
   * @throws AppFailure {@code FRAMEWORK_NOT_DETECTED}, saying what was looked for and found; {@code
   *     START_COMMAND_MISSING}
   */
  public BuildPlan plan(Checkout checkout, Overrides overrides) {
    Detection.Found found = new Detection(all, checkout).find(overrides);
    BuildPlan plan = found.framework().plan(checkout, overrides.in(found.directory()));
    return plan.withFindings(
        Stream.concat(found.findings().stream(), plan.findings().stream()).toList());
  }
}
