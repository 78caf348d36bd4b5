package dev.slipway.dashboard;

import java.util.Arrays;
import java.util.Locale;

/** Light or dark; as the browser is where nobody has chosen. */
public enum Theme {
  SYSTEM,
  LIGHT,
  DARK;

  static final String COOKIE = "slipway-theme";

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Theme ofWireName(String name) {
    return Arrays.stream(values())
        .filter(it -> it.wireName().equals(name))
        .findFirst()
        .orElse(SYSTEM);
  }
}
