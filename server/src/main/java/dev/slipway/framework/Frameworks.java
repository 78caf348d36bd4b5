package dev.slipway.framework;

import dev.slipway.core.AppFailure;
import dev.slipway.framework.hosts.HostFiles;
import dev.slipway.framework.hosts.Settled;
import dev.slipway.framework.node.NextJs;
import dev.slipway.framework.node.NodeExpress;
import dev.slipway.framework.node.OldBundlers;
import dev.slipway.framework.node.ReactVite;
import dev.slipway.framework.python.PythonFastapi;
import dev.slipway.source.Checkout;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All frameworks, and the choice among them. */
public final class Frameworks {
  // Order matters: the first that detects wins.
  private final List<Framework> all =
      List.of(new NextJs(), new ReactVite(), new NodeExpress(), new PythonFastapi());

  /** The values that the API field {@code framework} may have here. */
  public List<String> names() {
    return all.stream().map(Framework::name).toList();
  }

  /**
   * Finds out what an application is, where in its repository it is, and how it is built.
   *
   * @param variables names of those that are set
   * @throws AppFailure {@code FRAMEWORK_NOT_DETECTED}, saying what was looked for and found; {@code
   *     START_COMMAND_MISSING}
   */
  public BuildPlan plan(Checkout checkout, Overrides overrides, Set<String> variables) {
    Settled atRoot = HostFiles.read(checkout, overrides, variables);
    Detection.Found found = new Detection(all, checkout).find(atRoot.overrides());
    Settled settled =
        atRoot.directory().equals(found.directory())
            ? atRoot
            : HostFiles.read(checkout, overrides.in(found.directory()), variables);
    BuildPlan plan =
        OldBundlers.suited(
            found.framework().plan(checkout, settled.overrides().in(found.directory())),
            checkout,
            variables);
    return plan.withFindings(
        Stream.of(found.findings(), settled.findings(), plan.findings())
            .flatMap(List::stream)
            .toList());
  }
}
