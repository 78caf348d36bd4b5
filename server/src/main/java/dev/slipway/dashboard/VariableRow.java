package dev.slipway.dashboard;

import java.util.Optional;

/**
 * A variable of a project.
 *
 * @param path where it is changed
 * @param value where it was asked for
 */
public record VariableRow(String path, String name, Optional<String> value) {
  private static final int MAX_SHOWN = 400;

  /** The value, or the beginning of a long one: all of it is in the field to change it. */
  public String shown() {
    String all = value.orElse("");
    return all.length() <= MAX_SHOWN
        ? all
        : all.substring(0, all.offsetByCodePoints(0, all.codePointCount(0, MAX_SHOWN))) + " …";
  }
}
