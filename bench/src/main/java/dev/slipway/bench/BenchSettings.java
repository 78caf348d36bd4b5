package dev.slipway.bench;

import java.nio.file.Path;
import java.util.Map;

/** What the servers that are measured have in common, as variables of their environment. */
final class BenchSettings {
  private BenchSettings() {}

  /**
   * @param kind of the git host, whose repositories are in {@code repositories}
   */
  static Map<String, String> of(
      Path directory, int port, String key, String kind, Path repositories) {
    String host = repositories.toUri().toString().replaceAll("/$", "");
    return Map.of(
        "SLIPWAY_DATA_DIR",
        directory.toString(),
        "SLIPWAY_HTTP_PORT",
        String.valueOf(port),
        "SLIPWAY_BOOTSTRAP_API_KEY",
        key,
        "SLIPWAY_BOOTSTRAP_TIER",
        "bench",
        "SLIPWAY_TIERS",
        "{bench: {requests_per_minute: 100000000, concurrent_migrations: 100}}",
        "SLIPWAY_REPO_HOSTS",
        "[{kind: %s, url: \"%s\"}]".formatted(kind, host));
  }
}
