package dev.slipway.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an account may do.
 *
 * @param requestsPerMinute to the API
 * @param concurrentMigrations that are under way; more of them wait
 */
public record TierConfig(int requestsPerMinute, int concurrentMigrations) {
  private static final int CONCURRENT_MIGRATIONS = 100;

  // API description, "Rate limits"; configured tiers are added to these or change them.
  public static final Map<String, TierConfig> DEFAULTS =
      Map.of(
          "free", new TierConfig(30, CONCURRENT_MIGRATIONS),
          "pro", new TierConfig(120, CONCURRENT_MIGRATIONS),
          "team", new TierConfig(600, CONCURRENT_MIGRATIONS));

  static Map<String, TierConfig> readAll(Section section) {
    Map<String, TierConfig> tiers = new LinkedHashMap<>();
    DEFAULTS.forEach((name, tier) -> tiers.put(name, read(section.section(name), tier)));
    for (String name : section.names()) {
      if (!DEFAULTS.containsKey(name)) {
        section.checkName(name);
        readNew(section.section(name)).ifPresent(tier -> tiers.put(name, tier));
      }
    }
    section.end();
    return tiers;
  }

  private static TierConfig read(Section section, TierConfig defaults) {
    TierConfig tier =
        new TierConfig(
            section.value("requests_per_minute", defaults.requestsPerMinute, Kinds.COUNT),
            section.value("concurrent_migrations", defaults.concurrentMigrations, Kinds.COUNT));
    section.end();
    return tier;
  }

  private static Optional<TierConfig> readNew(Section section) {
    Optional<Integer> requests = section.required("requests_per_minute", Kinds.COUNT);
    int migrations = section.value("concurrent_migrations", CONCURRENT_MIGRATIONS, Kinds.COUNT);
    section.end();
    return requests.map(it -> new TierConfig(it, migrations));
  }
}
