package dev.slipway.framework.hosts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Heroku's description of an application; React Native has a file of this name too. */
final class AppJson implements HostFile {
  private static final String FILE = "app.json";

  @Override
  public void read(Folder folder, Set<String> variables, Notes notes) {
    folder
        .tree(FILE, notes)
        .filter(tree -> !tree.has("expo"))
        .ifPresent(tree -> read(tree, variables, notes));
  }

  private static void read(JsonNode tree, Set<String> variables, Notes notes) {
    List<String> missing =
        tree.path("env").properties().stream()
            .filter(variable -> isNeeded(variable.getValue()))
            .map(Map.Entry::getKey)
            .filter(name -> !variables.contains(name))
            .toList();
    if (!missing.isEmpty()) {
      notes.warn(
          "app.json asks for variables that are not set: %s. Set them before the application needs them."
              .formatted(String.join(", ", missing)));
    }
    if (!tree.path("buildpacks").isEmpty()) {
      notes.say("The buildpacks of app.json are not used.");
    }
    String after = tree.path("scripts").path("postdeploy").asText("");
    if (!after.isEmpty()) {
      notes.warn("The postdeploy script of app.json is not run here: %s".formatted(after));
    }
  }

  /** One with a value of its own, or one that is optional, is not asked of anybody. */
  private static boolean isNeeded(JsonNode variable) {
    return variable.isObject()
        && variable.path("required").asBoolean(true)
        && !variable.has("value")
        && !variable.has("generator");
  }
}
