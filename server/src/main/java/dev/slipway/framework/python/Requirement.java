package dev.slipway.framework.python;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A package that is asked for.
 *
 * @param name as package indexes compare names: lower case, words joined by a hyphen
 * @param extras of the package that are asked for too
 * @param text as an installer takes it, for example {@code fastapi[all]>=0.110}
 */
record Requirement(String name, Set<String> extras, String text) {
  private static final Pattern HEAD =
      Pattern.compile("\\s*([A-Za-z0-9][A-Za-z0-9._-]*)\\s*(?:\\[([^\\]]*)\\])?.*", Pattern.DOTALL);

  Requirement {
    extras = Set.copyOf(extras);
  }

  /** Empty where the text names no package, as a path or an option does. */
  static Optional<Requirement> parse(String text) {
    Matcher matcher = HEAD.matcher(text);
    if (!matcher.matches() || (text.contains("://") && !text.contains("@"))) {
      return Optional.empty();
    }
    String extras = matcher.group(2) == null ? "" : matcher.group(2).strip();
    return Optional.of(
        new Requirement(
            normal(matcher.group(1)),
            extras.isEmpty() ? Set.of() : Set.of(extras.split("\\s*,\\s*", -1)),
            text.strip()));
  }

  static String normal(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
  }

  /** Whether what starts an application is part of it. */
  boolean bringsUvicorn() {
    boolean all = extras.contains("standard") || extras.contains("all");
    return name.equals("uvicorn")
        || (all && (name.equals("fastapi") || name.equals("fastapi-cli")));
  }
}
