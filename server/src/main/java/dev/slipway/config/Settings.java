package dev.slipway.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.slipway.core.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the file and the environment say, before it has a type. Reading a key makes it known; what
 * nobody read is a mistake. Problems are collected, so that the operator sees all at once.
 */
final class Settings {
  /** Variables of the commands around the server, not keys of its file. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of("SLIPWAY_CONFIG", "SLIPWAY_URL", "SLIPWAY_API_KEY", "SLIPWAY_JAVA_OPTS");

  private static final String PREFIX = "SLIPWAY_";

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Map<String, String> environment;
  private final List<String> problems = new ArrayList<>();
  private final Set<String> knownKeys = new TreeSet<>();
  private final Set<String> knownVariables = new TreeSet<>();
  private final JsonNode root;

  private Settings(Optional<Path> file, Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    this.root = file.map(this::readFile).orElseGet(JsonNodeFactory.instance::objectNode);
  }

  static Settings of(Optional<Path> file, Map<String, String> environment) {
    return new Settings(file, environment);
  }

  Section root() {
    return new Section(this, "", "", root);
  }

  void problem(String sentence) {
    problems.add(sentence);
  }

  /** Call when everything was read. */
  void end() {
    environment.keySet().stream()
        .filter(it -> it.startsWith(PREFIX))
        .filter(it -> !OTHER_VARIABLES.contains(it) && !knownVariables.contains(it))
        .sorted()
        .forEach(it -> problem(unknown("variable", it, knownVariables)));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  /** Every key that was read, as in {@code repo_hosts[].token}. */
  Set<String> knownKeys() {
    return Set.copyOf(knownKeys);
  }

  /** What the environment says for the key; elements of lists have no variable. */
  Optional<Variable> lookUp(String key) {
    knownKeys.add(key);
    if (key.contains("[]")) {
      return Optional.empty();
    }
    String name = variable(key);
    knownVariables.add(name);
    return Optional.ofNullable(environment.get(name)).map(text -> new Variable(name, text));
  }

  /** Whether a variable sets something below the key. */
  boolean mentions(String key) {
    return environment.keySet().stream().anyMatch(it -> it.startsWith(variable(key) + "_"));
  }

  record Variable(String name, String text) {}

  JsonNode parse(String text, String where) {
    try {
      return YAML.readTree(text);
    } catch (JsonProcessingException e) {
      problem(where + " " + syntaxProblem(e));
      return JsonNodeFactory.instance.missingNode();
    }
  }

  static String unknown(String what, String name, Set<String> known) {
    return "%s is no known %s%s"
        .formatted(
            name, what, Nearest.to(name, known).map("; did you mean %s?"::formatted).orElse(""));
  }

  private JsonNode readFile(Path file) {
    try {
      JsonNode node = parse(Files.readString(file), file.toString());
      if (node.isObject()) {
        return node;
      }
      if (!node.isMissingNode() && !node.isNull()) { // an empty file is all defaults
        problem("%s must hold keys and values".formatted(file));
      }
    } catch (NoSuchFileException e) {
      problem("there is no file %s".formatted(file));
    } catch (IOException e) {
      problem("%s cannot be read: %s".formatted(file, e.getClass().getSimpleName()));
    }
    return JsonNodeFactory.instance.objectNode();
  }

  // The parser's own message quotes the line, and a line may hold a secret.
  private static String syntaxProblem(JsonProcessingException e) {
    String message = String.valueOf(e.getOriginalMessage());
    JsonLocation location = e.getLocation();
    String place =
        location == null
            ? ""
            : " at line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
    return message.startsWith("Duplicate field")
        ? "says a key twice%s: %s".formatted(place, message.lines().findFirst().orElse(""))
        : "is not valid YAML" + place;
  }

  private static String variable(String key) {
    return PREFIX + key.replace('.', '_').toUpperCase(Locale.ROOT);
  }
}
