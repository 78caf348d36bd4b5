package dev.slipway.framework.node;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.framework.BuildPlan.Step;
import dev.slipway.framework.CommandLine;
import dev.slipway.framework.CommandLine.Command;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A line that the user wrote for a step, as steps.
 *
 * @param step {@code install} or {@code build}
 */
record UserCommand(NodeApp app, String step, String line) {
  /** What is run as it stands; other words without a path are programs that packages bring. */
  private static final Set<String> PROGRAMS =
      Set.of(
          "node",
          "npm",
          "npx",
          "pnpm",
          "pnpx",
          "yarn",
          "bun",
          "bunx",
          "corepack",
          "env",
          "sh",
          "bash",
          "make",
          "python3",
          "cp",
          "mv",
          "mkdir",
          "rm",
          "ln",
          "cat",
          "echo",
          "touch",
          "chmod",
          "true",
          "git",
          "sed",
          "tar",
          "find");

  List<Step> steps(FailureCode onFailure, Map<String, String> env) {
    CommandLine parsed = parse(step, line);
    List<Step> steps = new ArrayList<>();
    for (Command command : parsed.commands()) {
      Map<String, String> all = new HashMap<>(env);
      all.putAll(command.env());
      steps.add(
          new Step(
              steps.isEmpty() ? step : step + "-" + (steps.size() + 1),
              directory(command),
              argv(command),
              all,
              onFailure,
              Optional.empty()));
    }
    return steps;
  }

  /**
   * @throws AppFailure with a sentence that says what to write instead
   */
  static CommandLine parse(String step, String line) {
    return CommandLine.parse(line)
        .orElseThrow(() ->
            new AppFailure(
                code(step),
                "The %s command \"%s\" cannot be run. %s"
                    .formatted(step, line, CommandLine.fault(line).orElse(""))));
  }

  private static FailureCode code(String step) {
    return switch (step) {
      case "install" -> FailureCode.INSTALL_FAILED;
      case "build" -> FailureCode.BUILD_FAILED;
      default -> FailureCode.START_COMMAND_MISSING;
    };
  }

  private String directory(Command command) {
    return app.place()
        .path(command.directory())
        .orElseThrow(() ->
            new AppFailure(
                code(step), "The %s command \"%s\" leaves the repository.".formatted(step, line)));
  }

  private List<String> argv(Command command) {
    String program = command.words().getFirst();
    return program.contains("/") || PROGRAMS.contains(program)
        ? command.words()
        : app.manager().exec(app.place().at(directory(command)), command.words());
  }
}
