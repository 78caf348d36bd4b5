package dev.slipway.framework.node;

import dev.slipway.core.Words;
import dev.slipway.framework.BuildPlan;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.CommandLine;
import dev.slipway.framework.CommandLine.Command;
import dev.slipway.framework.Overrides;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** React Router in framework mode: a server, unless its configuration says {@code ssr: false}. */
record ReactRouter(NodeApp app) {
  static final List<String> BUILD = List.of("react-router", "build");
  private static final List<String> FILES =
      List.of(
          "react-router.config.ts",
          "react-router.config.js",
          "react-router.config.mts",
          "react-router.config.mjs");
  private static final String DIRECTORY = "build";
  private static final String SERVER = "react-router-serve";

  BuildPlan plan(Overrides overrides) {
    Optional<ConfigText> config = ConfigText.of(app.place(), FILES);
    String directory = config.flatMap(text -> text.string("buildDirectory")).orElse(DIRECTORY);
    if (config.filter(text -> text.says("ssr", "false\\b")).isPresent()) {
      return site(overrides, directory, config.orElseThrow());
    }
    return ReactVite.server(app, overrides, start(overrides, directory), List.of());
  }

  private BuildPlan site(Overrides overrides, String directory, ConfigText config) {
    NodeBuild build = ReactVite.build(app, overrides, BUILD);
    // With the front page rendered beforehand, index.html is that page and no other.
    String fallback = config.mentions("prerender") ? "__spa-fallback.html" : "index.html";
    return new NodePlan(
            ReactVite.NAME,
            app,
            true,
            build.steps(),
            Sites.site(
                app.place(),
                overrides.outputDirectory().orElse(directory + "/client"),
                Optional.of(fallback)),
            List.of(),
            ReactVite.buildFindings(build))
        .with(overrides);
  }

  private NodeStart start(Overrides overrides, String directory) {
    if (overrides.startCommand().isPresent() || app.manifest().script("start").isPresent()) {
      return NodeStart.of(app, overrides, true);
    }
    List<String> words = List.of(SERVER, Words.literal("./" + directory + "/server/index.js"));
    return new NodeStart(
        new CommandLine(List.of(new Command("", Map.of(), words))),
        false,
        List.of(new Finding(false, "There is no start script, so %s is run.".formatted(SERVER))));
  }
}
