package dev.slipway.project;

import java.util.Locale;

/** Whether each kept deployment of a project answers at an address of its own. */
public enum Previews {
  /** At one that cannot be guessed and is not indexed. */
  UNLISTED,
  OFF;

  /** As the API writes it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Previews ofWireName(String wireName) {
    return valueOf(wireName.toUpperCase(Locale.ROOT));
  }
}
