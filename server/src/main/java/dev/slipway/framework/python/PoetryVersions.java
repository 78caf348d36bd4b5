package dev.slipway.framework.python;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Versions as poetry and pipenv write them, for installers that know PEP 440 alone. */
final class PoetryVersions {
  private static final Pattern CARET =
      Pattern.compile("([\\^~])\\s*v?(\\d{1,9})(?:\\.(\\d{1,9}))?(?:\\.(\\d{1,9}))?.*");

  private PoetryVersions() {}

  /** {@code ^3.10} as {@code >=3.10,<4}; of alternatives the last, which is the newest. */
  static String specifiers(String versions) {
    String last = versions.substring(versions.lastIndexOf('|') + 1).strip();
    return Stream.of(last.split("[,\\s]+(?=[<>=!~^*\\d])", -1))
        .map(PoetryVersions::specifier)
        .filter(it -> !it.isEmpty())
        .collect(Collectors.joining(","));
  }

  private static String specifier(String version) {
    Matcher caret = CARET.matcher(version);
    if (caret.matches() && !version.startsWith("~=")) {
      return ">=%s,<%s".formatted(version.substring(1).strip(), bound(caret));
    }
    if (version.isEmpty() || version.equals("*")) {
      return "";
    }
    return Character.isDigit(version.charAt(0)) ? "==" + version : version;
  }

  private static String bound(Matcher caret) {
    int major = Integer.parseInt(caret.group(2));
    Optional<Integer> minor = Optional.ofNullable(caret.group(3)).map(Integer::parseInt);
    if (caret.group(1).equals("~")) {
      return minor.map(it -> major + "." + (it + 1)).orElse("" + (major + 1));
    }
    if (major > 0 || minor.isEmpty()) {
      return "" + (major + 1);
    }
    if (minor.get() > 0 || caret.group(4) == null) {
      return "0." + (minor.get() + 1);
    }
    return "0.0." + (Integer.parseInt(caret.group(4)) + 1);
  }

  /** The packages of a table of poetry's or of a Pipfile; not what is optional. */
  static List<Requirement> requirements(JsonNode table) {
    List<Requirement> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : table.properties()) {
      JsonNode value = entry.getValue().isArray() ? entry.getValue().path(0) : entry.getValue();
      if (!entry.getKey().equals("python") && !value.path("optional").asBoolean()) {
        Requirement.parse(text(entry.getKey(), value)).ifPresent(all::add);
      }
    }
    return all;
  }

  private static String text(String name, JsonNode value) {
    if (value.isTextual()) {
      return name + specifiers(value.asText());
    }
    String extras =
        value.path("extras").valueStream().map(JsonNode::asText).collect(Collectors.joining(","));
    String head = extras.isEmpty() ? name : "%s[%s]".formatted(name, extras);
    if (value.has("git")) {
      String reference =
          Stream.of("rev", "ref", "tag", "branch")
              .filter(value::has)
              .findFirst()
              .map(key -> "@" + value.path(key).asText())
              .orElse("");
      return "%s @ git+%s%s".formatted(head, value.path("git").asText(), reference);
    }
    if (value.has("url")) {
      return "%s @ %s".formatted(head, value.path("url").asText());
    }
    if (value.has("path")) {
      return "%s @ ./%s".formatted(head, value.path("path").asText());
    }
    String markers = value.path("markers").asText("");
    return head
        + specifiers(value.path("version").asText("*"))
        + (markers.isEmpty() ? "" : " ; " + markers);
  }
}
