package dev.slipway.framework.node;

import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.framework.Framework;
import dev.slipway.framework.Overrides;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sites of React that Vite builds, React Router in framework mode, and, where the user says so,
 * whatever else builds a directory of files.
 */
public final class ReactVite implements Framework {
  public static final String NAME = "react-vite";

  private static final List<String> BUILD = List.of("vite", "build");
  private static final String PAGE = "index.html";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean detect(Checkout checkout) {
    return NodeKinds.isReactVite(new Place(checkout, ""));
  }

  @Override
  public BuildPlan plan(Checkout checkout, Overrides overrides) {
    Place place = new Place(checkout, overrides.rootDirectory().orElse(""));
    if (!place.hasFile(PackageJson.FILE) && overrides.outputDirectory().isPresent()) {
      return plainFiles(place, overrides.outputDirectory().get());
    }
    NodeApp app = NodeApp.of(NAME, checkout, overrides);
    if (overrides.startCommand().isPresent()) {
      return server(app, overrides, NodeStart.of(app, overrides, true), List.of());
    }
    if (app.manifest().has(NodeKinds.REACT_ROUTER)) {
      return new ReactRouter(app).plan(overrides);
    }
    return site(app, overrides);
  }

  /** Files that need neither packages nor a build. */
  private static BuildPlan plainFiles(Place place, String directory) {
    return new BuildPlan(
        NAME,
        place.directory(),
        List.of(),
        Optional.empty(),
        List.of(),
        Sites.site(place, directory, Optional.of(PAGE)),
        List.of(),
        List.of(
            new Finding(
                false,
                "There is no package.json, so nothing is built; the files are served as they are.")));
  }

  private static BuildPlan site(NodeApp app, Overrides overrides) {
    NodeBuild build = build(app, overrides, app.has("vite") ? BUILD : List.of());
    ViteConfig config = ViteConfig.of(app.place(), build.text());
    List<Finding> findings = new ArrayList<>(buildFindings(build));
    List<Step> steps = new ArrayList<>(build.steps());
    String output =
        overrides.outputDirectory().orElse(app.has("react-scripts") ? "build" : config.output());
    Serving serving = Sites.site(app.place(), output, Optional.of(PAGE));
    if (!config.base().isEmpty()) {
      BelowBase below =
          new BelowBase(app.place(), output, config.base(), Optional.of(PAGE), "The base of Vite");
      steps.addAll(below.steps());
      serving = below.site();
      findings.add(below.finding());
    }
    return new NodePlan(NAME, app, true, steps, serving, List.of(), findings).with(overrides);
  }

  /** A build of the application's packages that ends in a program. */
  static BuildPlan server(
      NodeApp app, Overrides overrides, NodeStart start, List<Finding> findings) {
    NodeBuild build =
        build(
            app, overrides, app.manifest().has(NodeKinds.REACT_ROUTER) ? ReactRouter.BUILD : BUILD);
    List<Finding> all = new ArrayList<>(buildFindings(build));
    all.addAll(findings);
    all.addAll(start.findings());
    return new NodePlan(
            NAME,
            app,
            true,
            build.steps(),
            start.program(app, overrides.healthCheckPath()),
            List.of(),
            all)
        .with(overrides);
  }

  static NodeBuild build(NodeApp app, Overrides overrides, List<String> otherwise) {
    return new NodeBuild(
        app, overrides.buildCommand(), NodeBuild.script(app.manifest()), otherwise, Map.of());
  }

  static List<Finding> buildFindings(NodeBuild build) {
    if (build.line().isPresent() || build.script().isPresent()) {
      return List.of();
    }
    return List.of(
        build.isEmpty()
            ? new Finding(
                true,
                "There is no build script, so nothing is built. Add \"build\" to the scripts of package.json, or set build_command.")
            : new Finding(
                false,
                "There is no build script, so %s is run."
                    .formatted(String.join(" ", build.otherwise()))));
  }
}
