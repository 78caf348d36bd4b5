package dev.slipway.source;

import java.util.regex.Pattern;

/**
 * A repository on a git host, {@code owner/repo}; hosts with nested groups may have more segments.
 *
 * <p>Source: API decisions, "grammars". The grammar keeps names safe in URLs, paths and argument
 * lists: no segment begins with a dot or a dash.
 */
public record RepoName(String value) {
  private static final String SEGMENT = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
  private static final Pattern GRAMMAR = Pattern.compile(SEGMENT + "(/" + SEGMENT + ")+");

  public RepoName {
    if (!isValid(value)) {
      throw new IllegalArgumentException("not a repository name: " + value);
    }
  }

  public static boolean isValid(String value) {
    return GRAMMAR.matcher(value).matches();
  }

  /** The last segment. */
  public String name() {
    return value.substring(value.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    return value;
  }
}
