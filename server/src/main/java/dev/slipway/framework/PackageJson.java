package dev.slipway.framework;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.source.Checkout;
import java.util.Optional;

/** What a package.json says; whatever has an unexpected type counts as absent. */
record PackageJson(JsonNode json) {
  static final String FILE = "package.json";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Empty where there is none, or one that is no JSON object. */
  static Optional<PackageJson> in(Checkout checkout) {
    return checkout.text(FILE).flatMap(PackageJson::parse);
  }

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

  Optional<String> script(String name) {
    return text(json.path("scripts").path(name));
  }

  Optional<String> main() {
    return text(json.path("main"));
  }

  /** The versions of Node that it asks for, as npm writes ranges. */
  Optional<String> nodeRange() {
    return text(json.path("engines").path("node"));
  }

  private static Optional<String> text(JsonNode node) {
    return Optional.of(node.asText("")).map(String::strip).filter(text -> !text.isEmpty());
  }
}
