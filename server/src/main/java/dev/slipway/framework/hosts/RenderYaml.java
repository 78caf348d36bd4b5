package dev.slipway.framework.hosts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Render's blueprint: several services, of which one is deployed here. */
final class RenderYaml implements HostFile {
  private static final String FILE = "render.yaml";
  private static final Set<String> TYPES = Set.of("web", "static", "pserv");

  @Override
  public void read(Folder folder, Set<String> variables, Notes notes) {
    folder.rootTree(FILE, notes).ifPresent(tree -> read(tree, folder, variables, notes));
  }

  private static void read(JsonNode tree, Folder folder, Set<String> variables, Notes notes) {
    List<JsonNode> services =
        tree.path("services").valueStream().filter(it -> TYPES.contains(text(it, "type"))).toList();
    Optional<JsonNode> chosen =
        services.stream()
            .filter(service ->
                notes.value(Setting.ROOT_DIRECTORY).isEmpty()
                    || rootDir(service).equals(folder.directory()))
            .findFirst();
    if (chosen.isEmpty()) {
      return;
    }
    take(chosen.get(), notes);
    needed(chosen.get(), variables, notes);
    List<String> others =
        services.stream()
            .filter(it -> !it.equals(chosen.get()))
            .map(it -> text(it, "name"))
            .toList();
    if (!others.isEmpty()) {
      notes.say(
          "Of the services in %s, %s is deployed; not %s. Each is a project of its own here, with its root_directory."
              .formatted(FILE, text(chosen.get(), "name"), String.join(", ", others)));
    }
    if (!text(chosen.get(), "preDeployCommand").isEmpty()) {
      notes.warn(
          "The preDeployCommand of %s is not run here: %s"
              .formatted(FILE, text(chosen.get(), "preDeployCommand")));
    }
  }

  private static void take(JsonNode service, Notes notes) {
    notes.take(FILE, Setting.ROOT_DIRECTORY, rootDir(service));
    boolean container =
        Stream.of("env", "runtime")
            .anyMatch(it -> List.of("docker", "image").contains(text(service, it)));
    if (container) {
      notes.warn(
          "%s names a container image; the application is built from its source here."
              .formatted(FILE));
      return;
    }
    BuildLine.of(text(service, "buildCommand")).take(FILE, notes);
    notes.take(FILE, Setting.START_COMMAND, text(service, "startCommand"));
    notes.take(
        FILE, Setting.OUTPUT_DIRECTORY, Directories.plain(text(service, "staticPublishPath")));
    notes.take(FILE, Setting.HEALTH_CHECK_PATH, text(service, "healthCheckPath"));
  }

  /** Values are secrets, or of the other host; the user is told which names it has. */
  private static void needed(JsonNode service, Set<String> variables, Notes notes) {
    List<String> missing =
        service
            .path("envVars")
            .valueStream()
            .map(variable -> text(variable, "key"))
            .filter(name -> !name.isEmpty() && !name.equals("PORT") && !variables.contains(name))
            .toList();
    if (!missing.isEmpty()) {
      notes.warn(
          "%s names variables that are not set here: %s. Set them if they are needed."
              .formatted(FILE, String.join(", ", missing)));
    }
  }

  private static String rootDir(JsonNode service) {
    return Directories.plain(text(service, "rootDir"));
  }

  private static String text(JsonNode service, String key) {
    return service.path(key).asText("").strip();
  }
}
