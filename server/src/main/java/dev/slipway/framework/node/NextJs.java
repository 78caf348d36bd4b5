package dev.slipway.framework.node;

import dev.slipway.core.Serving;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.framework.Framework;
import dev.slipway.framework.Overrides;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Next.js: a server, or an export that needs none. */
public final class NextJs implements Framework {
  public static final String NAME = "nextjs";

  private static final List<String> BUILD = List.of("next", "build");

  /** An export of versions before 13.3, which the build script does. */
  private static final Pattern OLD_EXPORT =
      Pattern.compile("next export(?: +(?:-o|--outdir)[ =]+(\\S+))?");

  private static final String UNUSED_OUTPUT =
      "The output directory %s is not used, as the application has a server. For a site, set output: 'export' in next.config.";

  private static final Map<String, String> QUIET = Map.of("NEXT_TELEMETRY_DISABLED", "1");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean detect(Checkout checkout) {
    return NodeKinds.isNext(new Place(checkout, ""));
  }

  @Override
  public BuildPlan plan(Checkout checkout, Overrides overrides) {
    NodeApp app = NodeApp.of(NAME, checkout, overrides);
    NextConfig config = NextConfig.of(app.place());
    NodeBuild build = build(app, config, overrides);
    List<Step> steps = new ArrayList<>(build.steps());
    List<Finding> findings = new ArrayList<>();
    if (overrides.buildCommand().isEmpty() && build.script().isEmpty()) {
      findings.add(new Finding(false, "There is no build script, so next build is run."));
    }
    Serving serving =
        exported(config, build.text(), overrides)
            .map(output -> site(app, config, output, steps, findings))
            .orElseGet(() -> server(app, config, overrides, steps, findings));
    return new NodePlan(NAME, app, true, steps, serving, caches(app, config), findings)
        .with(overrides);
  }

  private static NodeBuild build(NodeApp app, NextConfig config, Overrides overrides) {
    Map<String, String> env = new HashMap<>(QUIET);
    if (config.isStandalone()) {
      // Else it looks for lockfiles around the application to find out what server.js lies below.
      env.put(
          "NEXT_PRIVATE_OUTPUT_TRACE_ROOT",
          ("/app/" + app.root().directory()).replaceFirst("/$", ""));
    }
    return new NodeBuild(
        app, overrides.buildCommand(), NodeBuild.script(app.manifest()), BUILD, env);
  }

  /** The directory of an export, relative to the application's; empty for a server. */
  private static Optional<String> exported(NextConfig config, String build, Overrides overrides) {
    Matcher old = OLD_EXPORT.matcher(build);
    return config.isExport()
        ? Optional.of(overrides.outputDirectory().orElse(config.exported()))
        : old.find()
            ? Optional.of(Optional.ofNullable(old.group(1)).orElse("out"))
            : Optional.empty();
  }

  private static Serving site(
      NodeApp app, NextConfig config, String output, List<Step> steps, List<Finding> findings) {
    if (config.basePath().isEmpty()) {
      return Sites.site(app.place(), output, Optional.empty());
    }
    BelowBase below =
        new BelowBase(
            app.place(), output, config.basePath(), Optional.empty(), "The basePath of Next.js");
    steps.addAll(below.steps());
    findings.add(below.finding());
    return below.site();
  }

  private static Serving server(
      NodeApp app,
      NextConfig config,
      Overrides overrides,
      List<Step> steps,
      List<Finding> findings) {
    NextStart start = NextStart.of(app, overrides);
    findings.addAll(start.start().findings());
    overrides
        .outputDirectory()
        .filter(directory -> !directory.equals(config.distDir()))
        .map(directory -> new Finding(true, UNUSED_OUTPUT.formatted(directory)))
        .ifPresent(findings::add);
    Optional<Serving.Assets> assets =
        app.place()
            .path(config.distDir() + "/static")
            .map(files -> new Serving.Assets(files, "_next/static"));
    if (!config.isStandalone()) {
      return start.start().program(app, overrides.healthCheckPath()).with(assets);
    }
    Standalone standalone = new Standalone(app, config.distDir());
    steps.addAll(standalone.steps());
    return standalone.start(start).program(app, overrides.healthCheckPath()).with(assets);
  }

  private static List<String> caches(NodeApp app, NextConfig config) {
    return app.place().path(config.distDir() + "/cache").stream().toList();
  }
}
