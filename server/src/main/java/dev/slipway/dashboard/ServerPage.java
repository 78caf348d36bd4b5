package dev.slipway.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the server is and offers.
 *
 * @param apps the names below which applications are
 * @param disk absent where the host does not say
 * @param isolation the level in words
 */
public record ServerPage(
    String version,
    String address,
    String apps,
    Instant startedAt,
    Optional<Bar> disk,
    String isolation,
    List<Finding> findings,
    List<Region> regions,
    List<Type> types,
    List<Tier> tiers) {
  /**
   * @param good or else something to know
   */
  public record Finding(boolean good, String sentence) {}

  /** A place where applications run. */
  public record Region(String name, String runtime, boolean isDefault) {}

  /** What an instance may use. */
  public record Type(String name, String memory, String cpus, boolean isDefault) {}

  /**
   * @param own whether it is that of the account of the one who looks
   */
  public record Tier(String name, int requests, int migrations, boolean own) {}
}
