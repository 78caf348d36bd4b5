package dev.slipway.framework.node;

import dev.slipway.core.FailureCode;
import dev.slipway.core.Words;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.framework.CommandLine;
import dev.slipway.framework.CommandLine.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The server that Next.js puts together from the files that it needs, {@code output: 'standalone'}.
 * It leaves out what a content network might serve; here that is copied to it.
 */
record Standalone(NodeApp app, String distDir) {
  private static final String PUBLIC = "public";

  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    String files = distDir + "/static";
    steps.add(copy("static", files, server() + "/" + files));
    if (app.place().hasDirectory(PUBLIC)) {
      steps.add(copy(PUBLIC, PUBLIC, server() + "/" + PUBLIC));
    }
    return steps;
  }

  /** The commands of the given start, with this server in place of {@code next start}. */
  NodeStart start(NextStart start) {
    if (start.own()) {
      return start.start();
    }
    List<Command> commands = new ArrayList<>(start.start().line().commands());
    commands.removeLast();
    commands.add(
        new Command(server(), Map.of("HOSTNAME", "0.0.0.0"), List.of("node", "server.js")));
    return start.start().with(new CommandLine(commands), List.of());
  }

  /** Relative to the application: below its workspace's root as it is in the repository. */
  private String server() {
    String below = app.root().relative(app.place().directory());
    return distDir + "/standalone" + (below.isEmpty() ? "" : "/" + below);
  }

  private Step copy(String name, String from, String to) {
    // -T: into what is there already, where the application's build copies too.
    return new Step(
        name,
        app.place().directory(),
        List.of("cp", "-RT", "./" + Words.literal(from), "./" + Words.literal(to)),
        Map.of(),
        FailureCode.BUILD_FAILED,
        Optional.empty());
  }
}
