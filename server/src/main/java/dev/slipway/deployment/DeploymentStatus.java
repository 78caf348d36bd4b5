package dev.slipway.deployment;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The states of a deployment, rollbacks included. Source: API description, "States". */
public enum DeploymentStatus {
  /** It waits for a build slot, or for its turn. */
  QUEUED,
  /** Its release is being made. */
  BUILDING,
  /** Its release is kept; an instance is starting or being checked. */
  DEPLOYING,
  /** It passed its health check and went into production; a newer one may serve by now. */
  LIVE,
  /** It never served, and says why. */
  FAILED,
  /** It served until a rollback replaced it. */
  ROLLED_BACK;

  /** The whole state machine: a move that is not listed here is refused. */
  public Set<DeploymentStatus> next() {
    return switch (this) {
      case QUEUED -> Set.of(BUILDING, DEPLOYING, FAILED); // a rollback is never built
      case BUILDING -> Set.of(DEPLOYING, FAILED);
      case DEPLOYING -> Set.of(LIVE, FAILED);
      case LIVE -> Set.of(ROLLED_BACK);
      case FAILED, ROLLED_BACK -> Set.of();
    };
  }

  /** Whether a deployment in this state has served, and so has a release to go back to. */
  public boolean served() {
    return switch (this) {
      case LIVE, ROLLED_BACK -> true;
      case QUEUED, BUILDING, DEPLOYING, FAILED -> false;
    };
  }

  /** Whether work is still under way. */
  public boolean unfinished() {
    return switch (this) {
      case QUEUED, BUILDING, DEPLOYING -> true;
      case LIVE, FAILED, ROLLED_BACK -> false;
    };
  }

  /** As the API writes it, for example {@code rolled_back}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<DeploymentStatus> ofWireName(String wireName) {
    for (DeploymentStatus status : values()) {
      if (status.wireName().equals(wireName)) {
        return Optional.of(status);
      }
    }
    return Optional.empty();
  }
}
