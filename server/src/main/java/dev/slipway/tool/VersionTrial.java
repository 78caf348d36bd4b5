package dev.slipway.tool;

import dev.slipway.core.AppFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks a tool for its version before anybody relies on it: old packages of Node hold an archive and
 * no program, and one for other machines does not start.
 */
final class VersionTrial implements Trial {
  private static final Duration ANSWER = Duration.ofMinutes(2);

  /**
   * Scripts run with the Node of a plan, which need not be the host's: they only have to be there.
   */
  private static final List<String> SCRIPTS = List.of("npm", "pnpm", "yarn");

  /** npm 6, the oldest that is fetched, does not run with an older one. */
  private static final int OLDEST_NODE = 6;

  private final ToolRuns runs;

  VersionTrial(ToolRuns runs) {
    this.runs = runs;
  }

  @Override
  public boolean runs(String name, Fetched.Complete tool) throws InterruptedException {
    String program = "bin/" + (name.equals("python") ? "python3" : name);
    if (!Files.isRegularFile(tool.tree().resolve(program)) || isTooOld(name, tool)) {
      return false;
    }
    return SCRIPTS.contains(name) || answers(program, tool);
  }

  private static boolean isTooOld(String name, Fetched.Complete tool) {
    return name.equals("node") && tool.version().major() < OLDEST_NODE;
  }

  private boolean answers(String program, Fetched.Complete tool) throws InterruptedException {
    List<Path> needs = tool.needs();
    Provision shown = Provision.of(new ProvidedTool("", "", needs, Optional.empty()));
    try {
      return runs.run(tool.tree(), List.of(program, "--version"), Map.of(), shown, ANSWER)
          .succeeded();
    } catch (AppFailure notExecutable) {
      return false;
    }
  }
}
