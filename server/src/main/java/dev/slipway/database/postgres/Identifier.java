package dev.slipway.database.postgres;

import java.util.regex.Pattern;

/** Names that stand in statements, where none of them can be a parameter. */
final class Identifier {
  /** As we make them; nothing in it has to be escaped. */
  private static final Pattern OURS = Pattern.compile("[a-z][a-z0-9_]{0,62}");

  private Identifier() {}

  /**
   * @throws IllegalArgumentException where it is not of our making
   */
  static String quoted(String name) {
    if (!OURS.matcher(name).matches()) {
      throw new IllegalArgumentException("no name that we gave: " + name);
    }
    return '"' + name + '"';
  }
}
