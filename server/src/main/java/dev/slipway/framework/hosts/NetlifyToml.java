package dev.slipway.framework.hosts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Netlify's. */
final class NetlifyToml implements HostFile {
  private static final String FILE = "netlify.toml";

  @Override
  public void read(Folder folder, Set<String> variables, Notes notes) {
    Optional<JsonNode> near = folder.tree(FILE, notes);
    near.or(() -> above(folder, notes)).ifPresent(tree -> read(tree, notes));
  }

  /** One at the root that is about the application's directory. */
  private static Optional<JsonNode> above(Folder folder, Notes notes) {
    return folder.directory().isEmpty()
        ? Optional.empty()
        : folder.rootTree(FILE, notes).filter(it -> base(it).equals(folder.directory()));
  }

  private static void read(JsonNode tree, Notes notes) {
    JsonNode build = tree.path("build");
    notes.take(FILE, Setting.ROOT_DIRECTORY, base(tree));
    notes.take(FILE, Setting.BUILD_COMMAND, BuildLine.of(build.path("command").asText("")).build());
    notes.takeOutput(FILE, build.path("publish").asText(""));
    notes.leave(
        FILE,
        List.of("redirects", "headers", "functions", "edge_functions", "plugins").stream()
            .filter(key -> !tree.path(key).isEmpty() && !isSinglePage(key, tree.path(key)))
            .toList());
  }

  private static boolean isSinglePage(String key, JsonNode rules) {
    return key.equals("redirects")
        && rules.size() == 1
        && rules.path(0).path("to").asText("").equals("/index.html");
  }

  private static String base(JsonNode tree) {
    return Directories.plain(tree.path("build").path("base").asText(""));
  }
}
