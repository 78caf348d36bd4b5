package dev.slipway.framework.node;

import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.framework.CommandLine.Command;
import dev.slipway.framework.Framework;
import dev.slipway.framework.Overrides;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Servers written with Express and, where the user says so, any server that Node runs. */
public final class NodeExpress implements Framework {
  public static final String NAME = "node-express";

  private static final List<String> COMPILE = List.of("tsc");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean detect(Checkout checkout) {
    return NodeKinds.isExpress(new Place(checkout, ""));
  }

  @Override
  public BuildPlan plan(Checkout checkout, Overrides overrides) {
    NodeApp app = NodeApp.of(NAME, checkout, overrides);
    List<Finding> findings = new ArrayList<>();
    NodeBuild asked = build(app, overrides, List.of());
    NodeStart start = NodeStart.of(app, overrides, !asked.isEmpty());
    NodeBuild build = asked;
    if (asked.isEmpty() && forgetsToCompile(app, start)) {
      build = build(app, overrides, COMPILE);
      findings.add(
          new Finding(
              true,
              "What the start script runs is not there and there is no build script, so tsc is run. Add \"build\": \"tsc\" to the scripts of package.json."));
    }
    findings.addAll(start.findings());
    if (start.needsDevelopment()) {
      findings.add(
          new Finding(
              true,
              "The start command runs something of the devDependencies, so all of them are kept. Move it to the dependencies."));
    }
    List<Step> steps = new ArrayList<>(build.steps());
    boolean development = needsDevelopment(app, start, steps, overrides);
    return new NodePlan(
            NAME,
            app,
            development,
            steps,
            start.program(app, overrides.healthCheckPath()),
            List.of(),
            findings)
        .with(overrides);
  }

  private static NodeBuild build(NodeApp app, Overrides overrides, List<String> otherwise) {
    return new NodeBuild(
        app, overrides.buildCommand(), NodeBuild.script(app.manifest()), otherwise, Map.of());
  }

  /** A start script of dist/…, TypeScript, and nothing that makes the one of the other. */
  private static boolean forgetsToCompile(NodeApp app, NodeStart start) {
    Command last = start.line().last();
    List<String> files =
        last.words().stream().skip(1).filter(word -> !word.startsWith("-")).limit(1).toList();
    return last.words().getFirst().equals("node")
        && app.place().hasFile("tsconfig.json")
        && app.manifest().has("typescript")
        && files.stream()
            .noneMatch(file -> app.place().hasFile(file) || app.place().hasFile(file + ".js"));
  }

  private static boolean needsDevelopment(
      NodeApp app, NodeStart start, List<Step> steps, Overrides overrides) {
    return !steps.isEmpty()
        || start.needsDevelopment()
        || app.isMember()
        || !app.members().isEmpty()
        || app.manifest().actsOnInstall()
        || overrides.buildCommand().isPresent();
  }
}
