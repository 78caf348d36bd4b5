package dev.slipway.dashboard;

import dev.slipway.config.RegionConfig;
import dev.slipway.config.TierConfig;
import dev.slipway.core.AccountId;
import dev.slipway.sandbox.Protection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What the settings show of the server itself.
 *
 * @param isolation the level in words
 * @param protection may wait for some seconds after the start
 * @param maxDomains of one account
 */
public record ServerFacts(
    String version,
    Instant startedAt,
    Path dataDir,
    String isolation,
    Supplier<Protection> protection,
    List<RegionConfig> regions,
    Map<String, TierConfig> tiers,
    List<GitHost> gitHosts,
    int maxDomains) {
  public ServerFacts {
    regions = List.copyOf(regions);
    tiers = Map.copyOf(tiers);
    gitHosts = List.copyOf(gitHosts);
  }

  /**
   * A git host of the configuration.
   *
   * @param kind the word that requests use as source
   * @param hasToken whether private repositories can be read there for an account
   */
  public record GitHost(String kind, URI address, Predicate<AccountId> hasToken) {}
}
