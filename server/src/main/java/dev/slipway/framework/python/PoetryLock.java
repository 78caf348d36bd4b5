package dev.slipway.framework.python;

import com.fasterxml.jackson.databind.JsonNode;
import dev.slipway.source.Checkout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Poetry's lockfile. Read here rather than by poetry: installing from it needs no resolving, and
 * poetry needs an index with an interface that mirrors often lack.
 *
 * <p>Which packages are needed at run time says the lockfile itself since version 2.1; in earlier
 * ones it is found by following the dependencies from the manifest.
 */
final class PoetryLock {
  private final Map<String, List<JsonNode>> packages = new LinkedHashMap<>();
  private final Map<String, Set<String>> markers = new HashMap<>();
  private final Set<String> always = new HashSet<>();
  private final Set<String> seen = new HashSet<>();
  private final Set<String> indexes = new LinkedHashSet<>();

  private PoetryLock(JsonNode lock) {
    for (JsonNode one : lock.path("package")) {
      packages.computeIfAbsent(name(one), _ -> new ArrayList<>()).add(one);
    }
  }

  /** Empty where it cannot be read. */
  static Optional<Pins> in(Checkout checkout, String path, Pyproject pyproject) {
    return Toml.in(checkout, path)
        .filter(lock -> lock.path("package").size() > 0)
        .map(lock -> new PoetryLock(lock).pins(pyproject));
  }

  private Pins pins(Pyproject pyproject) {
    List<Requirement> wanted = pyproject.requirements();
    boolean grouped =
        packages.values().stream().flatMap(List::stream).anyMatch(it -> it.has("groups"));
    if (!grouped) {
      follow(wanted);
    }
    List<String> names = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (List<JsonNode> versions : packages.values()) {
      for (JsonNode one : versions) {
        if (grouped ? isMain(one) : seen.contains(name(one))) {
          names.add(name(one));
          texts.addAll(text(one, versions.size() > 1));
        }
      }
    }
    List<Requirement> missing =
        wanted.stream().filter(it -> !packages.containsKey(it.name())).toList();
    return new Pins(names, texts, List.copyOf(indexes), missing);
  }

  private static boolean isMain(JsonNode one) {
    return one.path("groups").valueStream().anyMatch(it -> it.asText().equals("main"))
        && !one.path("optional").asBoolean();
  }

  private void follow(List<Requirement> wanted) {
    Deque<Requirement> open = new ArrayDeque<>(wanted);
    Set<String> done = new HashSet<>();
    wanted.forEach(it -> always.add(it.name()));
    while (!open.isEmpty()) {
      Requirement next = open.pop();
      if (done.add(next.name() + next.extras())) {
        seen.add(next.name());
        for (JsonNode one : packages.getOrDefault(next.name(), List.of())) {
          dependencies(one, next.extras(), open);
        }
      }
    }
  }

  private void dependencies(JsonNode one, Set<String> extras, Deque<Requirement> open) {
    Set<String> chosen =
        extras.stream()
            .flatMap(extra -> one.path("extras").path(extra).valueStream())
            .flatMap(text -> Requirement.parse(text.asText()).stream())
            .map(Requirement::name)
            .collect(Collectors.toSet());
    for (Map.Entry<String, JsonNode> entry : one.path("dependencies").properties()) {
      String name = Requirement.normal(entry.getKey());
      Stream<JsonNode> ways =
          entry.getValue().isArray() ? entry.getValue().valueStream() : Stream.of(entry.getValue());
      ways.filter(way -> !way.path("optional").asBoolean() || chosen.contains(name))
          .forEach(way -> open.push(edge(name, way)));
    }
  }

  private Requirement edge(String name, JsonNode way) {
    String marker = way.path("markers").asText("");
    // An extra is chosen by now, and no marker that is evaluated when packages are installed.
    if (marker.isEmpty() || marker.contains("extra ==")) {
      always.add(name);
    } else {
      markers.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add("(" + marker + ")");
    }
    Set<String> extras =
        way.path("extras").valueStream().map(JsonNode::asText).collect(Collectors.toSet());
    return new Requirement(name, extras, name);
  }

  /**
   * @param several whether the lockfile has it in other versions too, for other Pythons
   */
  private List<String> text(JsonNode one, boolean several) {
    String name = one.path("name").asText();
    JsonNode source = one.path("source");
    String url = source.path("url").asText("");
    String text = "%s==%s".formatted(name, one.path("version").asText());
    switch (source.path("type").asText("")) {
      case "git" ->
          text = "%s @ git+%s@%s".formatted(name, url, source.path("resolved_reference").asText());
      case "url" -> text = "%s @ %s".formatted(name, url);
      case "directory", "file" -> {
        return List.of("--editable", url);
      }
      case "legacy" -> indexes.add(url);
      default -> {
        // the usual index
      }
    }
    String marker = marker(one, several);
    return List.of(marker.isEmpty() ? text : text + " ; " + marker);
  }

  private String marker(JsonNode one, boolean several) {
    JsonNode own = one.path("markers");
    String given = own.isTextual() ? own.asText() : own.path("main").asText("");
    if (!given.isEmpty()) {
      return given;
    }
    String name = name(one);
    Set<String> all = always.contains(name) ? Set.of() : markers.getOrDefault(name, Set.of());
    String way = String.join(" or ", all);
    String python = several ? python(one) : "";
    return Stream.of(way.isEmpty() || python.isEmpty() ? way : "(" + way + ")", python)
        .filter(it -> !it.isEmpty())
        .collect(Collectors.joining(" and "));
  }

  /** {@code >=3.9,<3.12} as a marker. */
  private static String python(JsonNode one) {
    return Stream.of(one.path("python-versions").asText("*").split("\\s*,\\s*", -1))
        .filter(it -> it.matches("(?:>=|<=|>|<|!=|==)\\s*[0-9.]+"))
        .map(it -> it.replaceFirst("^([<>=!]+)\\s*([0-9.]+)$", "python_full_version $1 \"$2\""))
        .collect(Collectors.joining(" and "));
  }

  private static String name(JsonNode one) {
    return Requirement.normal(one.path("name").asText());
  }
}
