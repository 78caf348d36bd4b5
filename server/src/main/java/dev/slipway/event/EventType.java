package dev.slipway.event;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What may happen to a resource; named {@code <resource>.<what>} in the API. */
public enum EventType {
  MIGRATION_PENDING,
  MIGRATION_PROCESSING,
  MIGRATION_COMPLETE,
  MIGRATION_FAILED,
  DEPLOYMENT_QUEUED,
  DEPLOYMENT_BUILDING,
  DEPLOYMENT_DEPLOYING,
  DEPLOYMENT_LIVE,
  DEPLOYMENT_FAILED,
  DEPLOYMENT_ROLLED_BACK,
  PROJECT_CREATED,
  PROJECT_DELETED,
  DOMAIN_ACTIVE,
  DOMAIN_FAILED;

  /** For example {@code deployment.rolled_back}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT).replaceFirst("_", ".");
  }

  public static Optional<EventType> ofWireName(String name) {
    return Arrays.stream(values()).filter(type -> type.wireName().equals(name)).findFirst();
  }
}
