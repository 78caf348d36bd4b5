package dev.slipway.framework.node;

import dev.slipway.core.FailureCode;
import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Install;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.framework.Overrides;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts a plan together from what a framework decided.
 *
 * @param development whether the install brings development packages too
 * @param findings of the framework, which come after those about packages
 */
record NodePlan(
    String framework,
    NodeApp app,
    boolean development,
    List<Step> steps,
    Serving serving,
    List<String> caches,
    List<Finding> findings) {

  BuildPlan with(Overrides overrides) {
    List<Finding> all = new ArrayList<>();
    app.nodeVersion()
        .map(version ->
            new Finding(false, "%s asks for Node %s.".formatted(version.origin(), version.range())))
        .ifPresent(all::add);
    NodeInstall usual = new NodeInstall(app, development);
    Optional<String> line = overrides.installCommand();
    if (line.isEmpty()) {
      all.addAll(usual.findings());
    }
    all.addAll(findings);
    return new BuildPlan(
        framework,
        app.place().directory(),
        app.tools(),
        Optional.of(line.map(this::said).orElseGet(usual::install)),
        steps,
        serving,
        caches,
        all);
  }

  /** A command may read whatever there is. */
  private Install said(String line) {
    return new Install(
        new UserCommand(app, "install", line).steps(FailureCode.INSTALL_FAILED, app.installEnv()),
        List.of("**"),
        List.of());
  }
}
