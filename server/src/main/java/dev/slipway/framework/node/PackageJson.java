package dev.slipway.framework.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a package.json says; whatever has an unexpected type counts as absent. */
record PackageJson(JsonNode json) {
  static final String FILE = "package.json";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Scripts that package managers run at the end of an install, or as part of it. */
  private static final List<String> INSTALL_SCRIPTS =
      List.of("preinstall", "install", "postinstall", "prepare");

  /** Empty for what is no JSON object. */
  static Optional<PackageJson> parse(String text) {
    try {
      // Editors on Windows put a byte order mark first; npm does not mind.
      JsonNode json = JSON.readTree(text.startsWith("\uFEFF") ? text.substring(1) : text);
      return json != null && json.isObject()
          ? Optional.of(new PackageJson(json))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** Whether the package is there when the program runs. */
  boolean dependsOn(String name) {
    return json.path("dependencies").has(name) || json.path("optionalDependencies").has(name);
  }

  boolean needsForDevelopment(String name) {
    return json.path("devDependencies").has(name);
  }

  /** Whether the package is there when the application is built. */
  boolean has(String name) {
    return dependsOn(name) || needsForDevelopment(name);
  }

  /** The packages that are installed for it, with the versions that it asks for. */
  Map<String, String> packages() {
    Map<String, String> packages = new LinkedHashMap<>();
    Stream.of("dependencies", "optionalDependencies", "devDependencies")
        .flatMap(kind -> json.path(kind).properties().stream())
        .forEach(entry -> packages.put(entry.getKey(), entry.getValue().asText("")));
    return packages;
  }

  Optional<String> script(String name) {
    return text("scripts", name);
  }

  /** The scripts of these names that there are, in the order of the names. */
  List<String> scriptsOf(List<String> names) {
    return names.stream().filter(name -> script(name).isPresent()).toList();
  }

  /** Whether installing it runs something of its own, often with development packages. */
  boolean actsOnInstall() {
    return !scriptsOf(INSTALL_SCRIPTS).isEmpty();
  }

  /** The globs of the packages that are installed together with this one. */
  Set<String> workspaces() {
    JsonNode field = json.path("workspaces");
    Set<String> globs = new LinkedHashSet<>();
    (field.isArray() ? field : field.path("packages")).forEach(glob -> globs.add(glob.asText("")));
    return globs;
  }

  boolean says(String field) {
    return json.has(field);
  }

  /** The text at a path of fields, such as {@code engines}, {@code node}. */
  Optional<String> text(String... path) {
    return Optional.of(at(path).asText("")).map(String::strip).filter(text -> !text.isEmpty());
  }

  JsonNode at(String... path) {
    JsonNode node = json;
    for (String field : path) {
      node = node.path(field);
    }
    return node;
  }
}
