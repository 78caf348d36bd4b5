package dev.slipway.deployment;

import java.util.Locale;

/** What asked for a deployment. */
public enum Trigger {
  API,
  DASHBOARD,
  MIGRATION,
  PUSH,
  /** Of a preview: no list of deployments shows it. */
  PULL_REQUEST,
  ROLLBACK;

  /** As the API writes it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
