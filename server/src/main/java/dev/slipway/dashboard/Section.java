package dev.slipway.dashboard;

/** The entries of the navigation. */
public enum Section {
  PROJECTS,
  DEPLOYMENTS,
  DATABASES,
  SETTINGS,
  /** Of pages that the navigation does not name. */
  NONE
}
