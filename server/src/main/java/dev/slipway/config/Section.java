package dev.slipway.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One object of the configuration. A value that is wrong is noted as a problem and its fallback
 * returned, so that reading goes on. After the last key call {@link #end}.
 */
final class Section {
  private final Settings settings;
  private final String place;
  private final String pattern;
  private final JsonNode node;
  private final Set<String> asked = new TreeSet<>();

  /**
   * @param place for people: {@code repo_hosts[1]}
   * @param pattern the same for all elements: {@code repo_hosts[]}
   */
  Section(Settings settings, String place, String pattern, JsonNode node) {
    this.settings = settings;
    this.place = place;
    this.pattern = pattern;
    this.node = node;
  }

  private record Found(JsonNode node, String place) {}

  <T> T value(String key, T fallback, Kind<T> kind) {
    return value(key, kind).orElse(fallback);
  }

  <T> Optional<T> value(String key, Kind<T> kind) {
    return find(key, false).flatMap(found -> convert(found, kind));
  }

  /** Its absence is a problem; empty only then, or when it is wrong. */
  <T> Optional<T> required(String key, Kind<T> kind) {
    Optional<Found> found = find(key, false);
    if (found.isEmpty()) {
      settings.problem(
          "%s is missing: it must be %s".formatted(join(place, key), kind.expectation()));
    }
    return found.flatMap(it -> convert(it, kind));
  }

  <T> List<T> list(String key, List<T> fallback, Kind<T> kind) {
    return find(key, true)
        .map(found -> {
          List<T> values = new ArrayList<>();
          for (Found element : elements(found)) {
            convert(element, kind).ifPresent(values::add);
          }
          return List.copyOf(values);
        })
        .orElse(fallback);
  }

  /** All of whose keys have defaults. */
  Section section(String key) {
    return find(key, true)
        .map(found -> object(found, join(pattern, key)))
        .orElseGet(() -> child(key, JsonNodeFactory.instance.objectNode()));
  }

  /** Present when the file or a variable says something about it. */
  Optional<Section> optionalSection(String key) {
    Optional<Section> found = find(key, true).map(it -> object(it, join(pattern, key)));
    return found.isEmpty() && settings.mentions(join(pattern, key))
        ? Optional.of(child(key, JsonNodeFactory.instance.objectNode()))
        : found;
  }

  /** Empty when nothing is said: an empty list is something. */
  Optional<List<Section>> sections(String key) {
    return find(key, true)
        .map(found ->
            elements(found).stream()
                .map(element -> object(element, join(pattern, key) + "[]"))
                .toList());
  }

  /** The names of an object whose keys the operator chooses. */
  List<String> names() {
    return node.propertyStream().map(it -> it.getKey()).toList();
  }

  void problem(String key, String sentence) {
    settings.problem(join(place, key) + " " + sentence);
  }

  /** Of the elements of a list only one may have the value; adds it to the earlier ones. */
  void checkUnique(String key, Optional<String> value, Set<String> earlier) {
    value
        .filter(it -> !earlier.add(it))
        .ifPresent(it -> problem(key, "stands twice in the list: \"" + it + "\""));
  }

  /** An absent list is its default; an empty one was written by somebody. */
  void checkNotEmpty(String key) {
    find(key, true)
        .map(Found::node)
        .filter(it -> it.isArray() && it.isEmpty())
        .ifPresent(it -> problem(key, "must not be empty"));
  }

  /** For an object whose keys the operator chooses. */
  void checkName(String key) {
    if (Kinds.NAME.parse().apply(key).isEmpty()) {
      problem(key, "must be " + Kinds.NAME.expectation());
    }
  }

  /** Whatever was not asked for is a mistake. */
  void end() {
    Set<String> known = new TreeSet<>();
    asked.forEach(key -> known.add(join(place, key)));
    for (String key : names()) {
      if (!asked.contains(key)) {
        settings.problem(Settings.unknown("key", join(place, key), known));
      }
    }
  }

  /** A variable goes before the file. What it holds is text, or YAML for lists and objects. */
  private Optional<Found> find(String key, boolean isYaml) {
    asked.add(key);
    Optional<Settings.Variable> variable = settings.lookUp(join(pattern, key));
    if (variable.isPresent()) {
      String name = variable.get().name();
      String text = variable.get().text();
      JsonNode value = isYaml ? settings.parse(text, name) : TextNode.valueOf(text);
      return Optional.of(new Found(value, "%s (%s)".formatted(join(place, key), name)))
          .filter(it -> !it.node().isMissingNode());
    }
    return Optional.ofNullable(node.get(key)).map(it -> new Found(it, join(place, key)));
  }

  private <T> Optional<T> convert(Found found, Kind<T> kind) {
    JsonNode value = found.node();
    if (value.isNull()) {
      settings.problem("%s has no value: give it one or remove the line".formatted(found.place()));
      return Optional.empty();
    }
    if (kind.isText() && (value.isNumber() || value.isBoolean())) {
      settings.problem("%s must be text: put it in quotes".formatted(found.place()));
      return Optional.empty();
    }
    Optional<T> converted =
        value.isValueNode() ? kind.parse().apply(value.asText()) : Optional.empty();
    if (converted.isEmpty()) {
      settings.problem(
          "%s must be %s%s"
              .formatted(
                  found.place(),
                  kind.expectation(),
                  kind.isSecret() ? "" : ", not " + shown(value)));
    }
    return converted;
  }

  // An object or a list in the place of a value may hold anything, secrets too: name it only. An
  // address may hold a login before its host.
  private static String shown(JsonNode value) {
    if (value.isObject()) {
      return "an object";
    }
    return value.isArray()
        ? "a list"
        : "\"" + value.asText().replaceAll("//.*@", "//[secret]@") + "\"";
  }

  private List<Found> elements(Found found) {
    if (!found.node().isArray()) {
      settings.problem("%s must be a list, such as [one, two]".formatted(found.place()));
      return List.of();
    }
    List<Found> elements = new ArrayList<>();
    for (JsonNode element : found.node()) {
      elements.add(new Found(element, "%s[%d]".formatted(found.place(), elements.size())));
    }
    return elements;
  }

  private Section object(Found found, String childPattern) {
    JsonNode value = found.node();
    if (!value.isObject() && !value.isNull()) { // null: all its keys are commented out
      settings.problem("%s must hold keys and values".formatted(found.place()));
    }
    JsonNode content = value.isObject() ? value : JsonNodeFactory.instance.objectNode();
    return new Section(settings, found.place(), childPattern, content);
  }

  private Section child(String key, JsonNode content) {
    return new Section(settings, join(place, key), join(pattern, key), content);
  }

  private static String join(String prefix, String key) {
    return prefix.isEmpty() ? key : prefix + "." + key;
  }
}
