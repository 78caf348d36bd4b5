package dev.slipway.framework.node;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which version of a package a lockfile has. Of several it is the one that the application itself
 * gets, where the lockfile tells, and else the first.
 *
 * @param text of any kind of lockfile
 */
record Locked(String text) {
  private static final String VERSION = "['\"]?(\\d[^'\"\\s(_:]*+)";

  /** What of each kind of lockfile stands right before the version. */
  private static Stream<Function<String, String>> kinds() {
    return Stream.of(
        name -> "\"node_modules/" + name + "\": \\{\\s*+\"version\": ", // npm 7 and later
        name -> "(?m)^ {4}\"" + name + "\": \\{\\s*+\"version\": ", // npm before
        name -> "(?m)^\"?" + name + "@[^\\n]*+\\n {2}version:? ", // Yarn
        name -> "(?m)^ *+'?" + name + "'?:\\n *+specifier: [^\\n]*+\\n *+version: ", // pnpm 6
        name -> "(?m)^ {2}'?" + name + "'?: ", // pnpm before
        name -> "(?m)^ {2}'?/?" + name + "[@/]", // pnpm, of packages that others ask for
        name -> "\"" + name + "\": \\[\"" + name + "@"); // Bun
  }

  /** Empty where it is not in there. */
  Optional<String> version(String name) {
    return kinds()
        .map(before -> Pattern.compile(before.apply(Pattern.quote(name)) + VERSION).matcher(text))
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .findFirst();
  }
}
