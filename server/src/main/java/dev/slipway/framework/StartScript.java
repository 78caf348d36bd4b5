package dev.slipway.framework;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A line of a {@code scripts} entry that needs no shell: variables, then a program and its
 * arguments.
 *
 * @param env assignments before the program
 * @param argv at least the program
 */
record StartScript(Map<String, String> env, List<String> argv) {
  // Outside of quotes none of what a shell acts on; in double quotes no expansion.
  private static final Pattern WORD =
      Pattern.compile("(?:[^\\s'\"|&;<>()$`\\\\*?\\[\\]{}~#!]|'[^']*'|\"[^\"$`\\\\]*\")++");
  private static final Pattern LINE =
      Pattern.compile("[ \\t]*(?:%s[ \\t]*+)*+".formatted(WORD.pattern()));
  private static final Pattern QUOTED = Pattern.compile("'([^']*)'|\"([^\"]*)\"");

  /** Empty where the line means something only to a shell, or holds no program. */
  static Optional<StartScript> parse(String line) {
    return words(line).flatMap(StartScript::ofWords);
  }

  private static Optional<StartScript> ofWords(List<String> words) {
    Map<String, String> env = new LinkedHashMap<>();
    int first = !words.isEmpty() && words.getFirst().equals("cross-env") ? 1 : 0;
    while (first < words.size() && words.get(first).matches("[A-Za-z_][A-Za-z0-9_]*=.*")) {
      String word = words.get(first++);
      int equals = word.indexOf('=');
      env.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return first == words.size()
        ? Optional.empty()
        : Optional.of(new StartScript(env, words.subList(first, words.size())));
  }

  /** The words of a line, quotes taken off; empty where a shell would do more than that. */
  private static Optional<List<String>> words(String line) {
    if (!LINE.matcher(line).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        WORD.matcher(line)
            .results()
            .map(word -> QUOTED.matcher(word.group()).replaceAll("$1$2"))
            .toList());
  }
}
