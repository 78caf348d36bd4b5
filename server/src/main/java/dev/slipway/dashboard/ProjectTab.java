package dev.slipway.dashboard;

import java.util.Locale;

/** The pages of one project. */
public enum ProjectTab {
  OVERVIEW,
  DEPLOYMENTS,
  LOGS,
  METRICS,
  VARIABLES,
  DOMAINS,
  DATABASE,
  SETTINGS;

  /** What the page adds to the project's path. */
  public String path() {
    return this == OVERVIEW ? "" : "/" + name().toLowerCase(Locale.ROOT);
  }

  public String label() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }
}
