package dev.slipway.build;

import dev.slipway.core.Serving;
import dev.slipway.tool.ProvidedTool;
import dev.slipway.tool.Provision;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which of a build's tools its program cannot do without: what it is written in, and names. */
final class ProgramTools {
  private static final Set<String> LANGUAGES = Set.of("node", "bun", "python");

  /** Other names that a tool's programs have. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of("npx", "npm", "pnpx", "pnpm", "yarnpkg", "yarn", "uvx", "uv");

  private ProgramTools() {}

  /** Their exact versions; none for a site, which has no program. */
  static List<String> of(Provision provision, Serving serving) {
    return switch (serving) {
      case Serving.Site _ -> List.of();
      case Serving.Program program -> {
        Set<String> named =
            program.commands().stream()
                .map(List::getFirst)
                .map(word -> OTHER_NAMES.getOrDefault(word, word))
                .collect(Collectors.toSet());
        yield provision.tools().stream()
            .filter(tool -> LANGUAGES.contains(tool.name()) || named.contains(tool.name()))
            .map(ProvidedTool::id)
            .toList();
      }
    };
  }
}
