package dev.slipway.preview;

import dev.slipway.deployment.DeploymentStatus;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far a preview has come: as its newest deployment has, until it is removed. */
public enum PreviewStatus {
  QUEUED,
  BUILDING,
  DEPLOYING,
  LIVE,
  /** Its newest commit. An earlier one may serve. */
  FAILED,
  REMOVED;

  static PreviewStatus of(DeploymentStatus newest) {
    return switch (newest) {
      case QUEUED -> QUEUED;
      case BUILDING -> BUILDING;
      case DEPLOYING -> DEPLOYING;
      case LIVE, ROLLED_BACK -> LIVE;
      case FAILED -> FAILED;
    };
  }

  /** As the API writes it. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<PreviewStatus> ofWireName(String name) {
    return Arrays.stream(values()).filter(status -> status.wireName().equals(name)).findFirst();
  }
}
