package dev.slipway.framework.node;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.Serving.Program;
import dev.slipway.core.Words;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.framework.CommandLine;
import dev.slipway.framework.CommandLine.Command;
import dev.slipway.framework.Overrides;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a server is started.
 *
 * @param line what was decided, as commands
 * @param needsDevelopment whether what it runs is among the devDependencies
 */
record NodeStart(CommandLine line, boolean needsDevelopment, List<Finding> findings) {
  private static final String PORT = "PORT";

  /** Scripts that start a server, the first that there is. */
  private static final List<String> SCRIPTS =
      List.of("start", "start:prod", "start:production", "production", "prod");

  /** Programs that do not have the name of their package. */
  private static final Map<String, String> PACKAGES =
      Map.of(
          "tsc", "typescript",
          "tsnd", "ts-node-dev",
          "nest", "@nestjs/cli",
          "react-router-serve", "@react-router/serve",
          "babel-node", "@babel/node");

  /** The user's line, else the script, else a file that looks like it. */
  static NodeStart of(NodeApp app, Overrides overrides, boolean built) {
    Optional<NodeStart> said = overrides.startCommand().map(line -> ofUser(app, line));
    return said.or(() -> ofScript(app)).orElseGet(() -> ofFile(app, built));
  }

  static NodeStart ofUser(NodeApp app, String line) {
    CommandLine parsed = UserCommand.parse("start", line);
    Scripts scripts = new Scripts(app);
    return of(app, scripts.read(line).orElse(parsed), scripts.findings());
  }

  static Optional<NodeStart> ofScript(NodeApp app) {
    return app.manifest().scriptsOf(SCRIPTS).stream().findFirst().map(name -> ofScript(app, name));
  }

  private static NodeStart ofScript(NodeApp app, String name) {
    String text = app.manifest().script(name).orElseThrow();
    Scripts scripts = new Scripts(app);
    Optional<CommandLine> direct =
        scripts.read("npm run " + name); // with its hooks, if there are any
    if (direct.isPresent()) {
      List<Finding> findings = new ArrayList<>();
      findings.add(new Finding(false, "The script %s runs \"%s\".".formatted(name, text)));
      findings.addAll(scripts.findings());
      return of(app, direct.get(), findings);
    }
    List<String> words = new ArrayList<>(app.run(name));
    return new NodeStart(
        new CommandLine(List.of(new Command("", Map.of(), words))),
        Stream.of(text.split("[^A-Za-z0-9@/_.-]+", -1))
            .anyMatch(word -> isForDevelopment(word, app)),
        List.of(
            new Finding(
                false,
                "The script %s (\"%s\") is run by %s, as it takes a shell or has scripts around it."
                    .formatted(name, text, app.manager().kind().program()))));
  }

  private static NodeStart ofFile(NodeApp app, boolean built) {
    EntryFile entry = EntryFile.of(app, built);
    return new NodeStart(
        new CommandLine(
            List.of(new Command("", Map.of(), List.of("node", Words.literal(entry.file()))))),
        false,
        entry.findings());
  }

  private static NodeStart of(NodeApp app, CommandLine line, List<Finding> findings) {
    boolean development =
        line.commands().stream()
            .flatMap(command -> command.words().stream())
            .anyMatch(word -> isForDevelopment(word, app));
    return new NodeStart(line, development, findings);
  }

  /** Whether a word names a package, or its program, that is not there in production. */
  private static boolean isForDevelopment(String word, NodeApp app) {
    String name = PACKAGES.getOrDefault(word, word);
    int end = name.indexOf('/', name.startsWith("@") ? name.indexOf('/') + 1 : 0);
    String found = end < 0 ? name : name.substring(0, end);
    return app.manifest().needsForDevelopment(found) && !app.manifest().dependsOn(found);
  }

  Program program(NodeApp app, Optional<String> healthCheckPath) {
    Map<String, String> env = new HashMap<>(Map.of("NODE_ENV", "production"));
    env.putAll(line.env());
    env.remove(PORT); // the port is for us to say
    return new Program(
        app.place()
            .path(line.last().directory())
            .orElseThrow(() ->
                new AppFailure(
                    FailureCode.START_COMMAND_MISSING, "The start command leaves the repository.")),
        line.words(),
        env,
        app.programs(),
        healthCheckPath);
  }

  NodeStart with(CommandLine other, List<Finding> more) {
    return new NodeStart(
        other, needsDevelopment, Stream.concat(findings.stream(), more.stream()).toList());
  }
}
