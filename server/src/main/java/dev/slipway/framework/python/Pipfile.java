package dev.slipway.framework.python;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Pipenv's files. Its lockfile is read here: installers of other makes do not know it. */
final class Pipfile {
  static final String FILE = "Pipfile";
  private static final ObjectMapper JSON = new ObjectMapper();

  private Pipfile() {}

  static Optional<List<Requirement>> open(Checkout checkout, String path) {
    return Toml.in(checkout, path).map(toml -> PoetryVersions.requirements(toml.path("packages")));
  }

  /** The versions of Python that it asks for; empty where it does not. */
  static Optional<String> python(Checkout checkout, String path) {
    return Toml.in(checkout, path)
        .map(toml -> toml.path("requires"))
        .flatMap(requires ->
            Stream.of("python_full_version", "python_version")
                .map(key -> requires.path(key).asText(""))
                .filter(version -> !version.isBlank())
                .findFirst());
  }

  static Optional<Pins> locked(Checkout checkout, String path) {
    try {
      Optional<String> text = checkout.text(path);
      return text.isEmpty()
          ? Optional.empty()
          : Optional.ofNullable(JSON.readTree(text.get())).map(Pipfile::pins);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static Pins pins(JsonNode lock) {
    List<Requirement> all = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : lock.path("default").properties()) {
      if (entry.getValue().has("path")) {
        texts.addAll(List.of("--editable", entry.getValue().path("path").asText()));
        continue;
      }
      for (Requirement requirement :
          PoetryVersions.requirements(
              JSON.createObjectNode().set(entry.getKey(), entry.getValue()))) {
        all.add(requirement);
        texts.add(requirement.text());
      }
    }
    List<String> indexes =
        lock.path("_meta")
            .path("sources")
            .valueStream()
            .map(source -> source.path("url").asText(""))
            .filter(url -> !url.isEmpty() && !url.startsWith("https://pypi."))
            .toList();
    return new Pins(Manifest.names(all), texts, indexes, List.of());
  }
}
