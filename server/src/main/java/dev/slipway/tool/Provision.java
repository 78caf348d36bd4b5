package dev.slipway.tool;

import java.nio.file.Path;
import java.util.List;

/**
 * The tools of one plan or release.
 *
 * @param warnings sentences for the log: what was asked for and is not to be had
 */
public record Provision(List<ProvidedTool> tools, List<String> warnings) {
  public static final Provision NOTHING = new Provision(List.of(), List.of());

  public Provision {
    tools = List.copyOf(tools);
    warnings = List.copyOf(warnings);
  }

  static Provision of(ProvidedTool... tools) {
    return new Provision(List.of(tools), List.of());
  }

  /** To be shown to the program, read-only, at their own paths. */
  public List<Path> directories() {
    return tools.stream().flatMap(tool -> tool.directories().stream()).distinct().toList();
  }

  /**
   * Comes after what the application has itself and before the sandbox's own, which the sandbox
   * appends; in the order in which the tools were asked for.
   */
  public List<Path> path() {
    return tools.stream().flatMap(tool -> tool.bin().stream()).distinct().toList();
  }

  /** How a release remembers them: {@code node@22.12.0}, {@code pnpm@9.15.4}. */
  public List<String> ids() {
    return tools.stream().map(ProvidedTool::id).toList();
  }
}
