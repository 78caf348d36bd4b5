package dev.slipway.framework.hosts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/** Railway's, as JSON or TOML. */
final class RailwayFile implements HostFile {
  private static final List<String> FILES = List.of("railway.json", "railway.toml");

  @Override
  public void read(Folder folder, Set<String> variables, Notes notes) {
    for (String file : FILES) {
      folder.tree(file, notes).ifPresent(tree -> read(file, tree, notes));
    }
  }

  private static void read(String file, JsonNode tree, Notes notes) {
    JsonNode deploy = tree.path("deploy");
    BuildLine.of(tree.path("build").path("buildCommand").asText("")).take(file, notes);
    notes.take(file, Setting.START_COMMAND, deploy.path("startCommand").asText(""));
    notes.take(file, Setting.HEALTH_CHECK_PATH, deploy.path("healthcheckPath").asText(""));
    String before = line(deploy.path("preDeployCommand"));
    if (!before.isEmpty()) {
      notes.warn("The preDeployCommand of %s is not run here: %s".formatted(file, before));
    }
  }

  /** A command, or several. */
  private static String line(JsonNode commands) {
    return commands.isArray()
        ? String.join(" && ", commands.valueStream().map(JsonNode::asText).toList())
        : commands.asText("");
  }
}
