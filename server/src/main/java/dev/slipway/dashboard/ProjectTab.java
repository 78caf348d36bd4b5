package dev.slipway.dashboard;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The pages of one project. */
public enum ProjectTab {
  OVERVIEW,
  DEPLOYMENTS,
  PREVIEWS,
  LOGS,
  METRICS,
  VARIABLES,
  DOMAINS,
  DATABASE,
  SETTINGS;

  /** Those that a project has: pull requests are of git hosts alone. */
  public static List<ProjectTab> of(ProjectHead head) {
    return Arrays.stream(values())
        .filter(tab -> tab != PREVIEWS || head.repo().isPresent())
        .toList();
  }

  /** What the page adds to the project's path. */
  public String path() {
    return this == OVERVIEW ? "" : "/" + name().toLowerCase(Locale.ROOT);
  }

  public String label() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }
}
