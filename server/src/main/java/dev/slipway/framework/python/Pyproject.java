package dev.slipway.framework.python;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.source.Checkout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a pyproject.toml says; whatever has an unexpected type counts as absent. */
record Pyproject(JsonNode toml) {
  static final String FILE = "pyproject.toml";

  static Optional<Pyproject> in(Checkout checkout, String directory) {
    return Toml.in(checkout, Paths.join(directory, FILE)).map(Pyproject::new);
  }

  /** Whether it describes a project as PEP 621 does. */
  boolean isProject() {
    return toml.path("project").isObject();
  }

  boolean isPoetry() {
    return poetry().path("dependencies").isObject();
  }

  boolean isWorkspace() {
    return toml.path("tool").path("uv").path("workspace").isObject();
  }

  /** Whether it is to be installed as a package itself, beside what it needs. */
  boolean isPackage() {
    return toml.path("build-system").isObject()
        && toml.path("tool").path("uv").path("package").asBoolean(true);
  }

  /** Whether its dependencies stand in other files. */
  boolean isDynamic() {
    return toml.path("project")
        .path("dynamic")
        .valueStream()
        .anyMatch(it -> it.asText().equals("dependencies"));
  }

  /** What is needed at run time, of poetry's too. */
  List<Requirement> requirements() {
    Stream<Requirement> project = requirements(toml.path("project").path("dependencies"));
    return Stream.concat(project, poetryRequirements().stream()).toList();
  }

  List<Requirement> poetryRequirements() {
    return PoetryVersions.requirements(poetry().path("dependencies"));
  }

  /** The optional part that a package belongs to, as uv's option for it. */
  Optional<List<String>> optionFor(String name) {
    Optional<List<String>> extra =
        part(toml.path("project").path("optional-dependencies"), name)
            .map(part -> List.of("--extra", part));
    return extra.or(() ->
        part(toml.path("dependency-groups"), name)
            .filter(part -> !part.equals("dev"))
            .map(part -> List.of("--group", part)));
  }

  Optional<String> requiresPython() {
    Optional<String> poetry =
        text(poetry().path("dependencies").path("python")).map(PoetryVersions::specifiers);
    return text(toml.path("project").path("requires-python")).or(() -> poetry);
  }

  /** The application as other tools are told of it, for example {@code main:app}. */
  Optional<String> entrypoint() {
    return Stream.of("fastapi", "vercel")
        .flatMap(tool -> text(toml.path("tool").path(tool).path("entrypoint")).stream())
        .findFirst();
  }

  private JsonNode poetry() {
    return toml.path("tool").path("poetry");
  }

  private static Optional<String> part(JsonNode parts, String name) {
    return parts.properties().stream()
        .filter(part -> requirements(part.getValue()).anyMatch(it -> it.name().equals(name)))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static Stream<Requirement> requirements(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).flatMap(it -> Requirement.parse(it).stream());
  }

  private static Optional<String> text(JsonNode node) {
    return Optional.of(node.asText("")).map(String::strip).filter(text -> !text.isEmpty());
  }
}
