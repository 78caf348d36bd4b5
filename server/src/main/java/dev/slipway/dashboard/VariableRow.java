package dev.slipway.dashboard;

import java.util.Optional;

/**
 * A variable of a project.
 *
 * @param project its id
 * @param value where it was asked for
 */
public record VariableRow(String project, String name, Optional<String> value) {
  private static final int MAX_SHOWN = 400;

  public String path() {
    return VariablesPage.path(project);
  }

  /** The value, or the beginning of a long one: all of it is in the field to change it. */
  public String shown() {
    String all = value.orElse("");
    return all.length() <= MAX_SHOWN
        ? all
        : all.substring(0, all.offsetByCodePoints(0, all.codePointCount(0, MAX_SHOWN))) + " …";
  }
}
