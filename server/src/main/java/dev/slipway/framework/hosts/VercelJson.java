package dev.slipway.framework.hosts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Vercel's. */
final class VercelJson implements HostFile {
  private static final String FILE = "vercel.json";
  private static final Map<String, String> FRAMEWORKS =
      Map.of("nextjs", "nextjs", "express", "node-express", "fastapi", "python-fastapi");
  private static final List<String> WITHOUT_EFFECT =
      List.of("rewrites", "redirects", "headers", "routes", "builds", "functions", "crons");

  @Override
  public void read(Folder folder, Set<String> variables, Notes notes) {
    folder.tree(FILE, notes).ifPresent(tree -> read(tree, notes));
  }

  private static void read(JsonNode tree, Notes notes) {
    Optional.ofNullable(FRAMEWORKS.get(text(tree, "framework")))
        .ifPresent(name -> notes.take(FILE, Setting.FRAMEWORK, name));
    notes.take(FILE, Setting.INSTALL_COMMAND, text(tree, "installCommand"));
    notes.take(FILE, Setting.BUILD_COMMAND, BuildLine.of(text(tree, "buildCommand")).build());
    notes.takeOutput(FILE, text(tree, "outputDirectory"));
    notes.leave(
        FILE,
        WITHOUT_EFFECT.stream()
            .filter(key -> !tree.path(key).isEmpty() && !isSinglePage(key, tree.path(key)))
            .toList());
  }

  /** Every path answered by the one page is what happens here too. */
  private static boolean isSinglePage(String key, JsonNode rules) {
    return key.equals("rewrites")
        && rules.size() == 1
        && text(rules.path(0), "destination").matches("/(?:index\\.html)?");
  }

  private static String text(JsonNode tree, String key) {
    return tree.path(key).asText("").strip();
  }
}
