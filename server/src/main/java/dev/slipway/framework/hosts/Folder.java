package dev.slipway.framework.hosts;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.slipway.source.Checkout;
import java.util.Optional;

/**
 * The directory of the application, with the repository's root around it.
 *
 * @param directory from the root; empty for the root
 */
record Folder(Checkout checkout, String directory) {
  private static final ObjectMapper YAML = YAMLMapper.builder().build();
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(com.fasterxml.jackson.core.json.JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(com.fasterxml.jackson.core.json.JsonReadFeature.ALLOW_TRAILING_COMMA)
          .build();
  private static final ObjectMapper TOML = TomlMapper.builder().build();

  /** The way from the root to the file where it lies: with the application, else at the root. */
  Optional<String> find(String name) {
    String near = Directories.join(directory, name);
    return checkout.hasFile(near) ? Optional.of(near) : Optional.of(name).filter(checkout::hasFile);
  }

  boolean has(String name) {
    return checkout.hasFile(Directories.join(directory, name));
  }

  /** The text of a file of the application's own directory. */
  Optional<String> text(String name) {
    return checkout.text(Directories.join(directory, name)).map(Folder::withoutMark);
  }

  /** A file of the application's own directory; its faults are said. */
  Optional<JsonNode> tree(String name, Notes notes) {
    return tree(Directories.join(directory, name), name, notes);
  }

  /** A file of the repository's root; its faults are said. */
  Optional<JsonNode> rootTree(String name, Notes notes) {
    return tree(name, name, notes);
  }

  private Optional<JsonNode> tree(String path, String name, Notes notes) {
    return checkout.text(path).map(Folder::withoutMark).flatMap(text -> parse(text, name, notes));
  }

  private static Optional<JsonNode> parse(String text, String name, Notes notes) {
    try {
      JsonNode tree = mapper(name).readTree(text);
      if (tree != null && tree.isObject()) {
        return Optional.of(tree);
      }
      notes.warn("%s is not used: it holds no settings.".formatted(name));
    } catch (JsonProcessingException e) {
      notes.warn("%s is not used: it cannot be read%s.".formatted(name, place(e)));
    }
    return Optional.empty();
  }

  private static ObjectMapper mapper(String name) {
    return name.endsWith(".json") ? JSON : name.endsWith(".toml") ? TOML : YAML;
  }

  private static String place(JsonProcessingException e) {
    return e.getLocation() == null || e.getLocation().getLineNr() < 1
        ? ""
        : ", line %d, column %d"
            .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }

  /** Editors on Windows put a byte order mark first. */
  private static String withoutMark(String text) {
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }
}
