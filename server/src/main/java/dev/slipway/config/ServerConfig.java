package dev.slipway.config;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The server's configuration: one record a section, read once and handed down. {@code
 * docs/server.yaml} lists every key.
 *
 * @param dataDir absolute; everything on disk lives below it
 * @param roles at least one
 * @param store absent: embedded
 * @param regions at least one
 * @param instanceTypes at least one; the first is the default
 * @param tiers by name
 */
public record ServerConfig(
    Path dataDir,
    HttpConfig http,
    Optional<HttpsConfig> https,
    AppsConfig apps,
    Set<Role> roles,
    Optional<StoreConfig> store,
    SecretsConfig secrets,
    BootstrapConfig bootstrap,
    List<RepoHostConfig> repoHosts,
    List<RegionConfig> regions,
    List<InstanceTypeConfig> instanceTypes,
    Map<String, TierConfig> tiers,
    RateLimitsConfig rateLimits,
    BuildConfig build,
    CachesConfig caches,
    ReleasesConfig releases,
    LimitsConfig limits,
    WebhooksConfig webhooks,
    Optional<AcmeConfig> acme,
    DnsConfig dns,
    AccessLogConfig accessLog,
    MetricsConfig metrics,
    DatabasesConfig databases,
    RuntimeConfig runtime) {
  private static final Path DATA_DIR = Path.of("data").toAbsolutePath().normalize();

  public ServerConfig {
    roles = Set.copyOf(roles);
    repoHosts = List.copyOf(repoHosts);
    regions = List.copyOf(regions);
    instanceTypes = List.copyOf(instanceTypes);
    tiers = Map.copyOf(tiers);
  }

  /**
   * Reads the file, or the one that {@code SLIPWAY_CONFIG} names, or neither, and the environment
   * over it: {@code http.port} is {@code SLIPWAY_HTTP_PORT}; lists and objects are YAML text.
   *
   * @throws ConfigException with all problems
   */
  public static ServerConfig load(Optional<Path> file, Map<String, String> environment) {
    Settings settings =
        Settings.of(
            file.or(() -> Optional.ofNullable(environment.get("SLIPWAY_CONFIG")).map(Path::of)),
            environment);
    ServerConfig config = read(settings.root());
    settings.end();
    return config;
  }

  static ServerConfig read(Section root) {
    Path dataDir = root.value("data_dir", DATA_DIR, Kinds.PATH);
    ServerConfig config =
        new ServerConfig(
            dataDir,
            HttpConfig.read(root.section("http")),
            root.optionalSection("https").flatMap(HttpsConfig::read),
            AppsConfig.read(root.section("apps")),
            Set.copyOf(root.list("roles", List.copyOf(EnumSet.allOf(Role.class)), Kinds.ROLE)),
            root.optionalSection("store").flatMap(StoreConfig::read),
            SecretsConfig.read(root.section("secrets"), dataDir),
            BootstrapConfig.read(root.section("bootstrap")),
            root.sections("repo_hosts")
                .map(RepoHostConfig::readAll)
                .orElse(RepoHostConfig.DEFAULTS),
            root.sections("regions").map(RegionConfig::readAll).orElse(RegionConfig.DEFAULTS),
            root.sections("instance_types")
                .map(InstanceTypeConfig::readAll)
                .orElse(InstanceTypeConfig.DEFAULTS),
            TierConfig.readAll(root.section("tiers")),
            RateLimitsConfig.read(root.section("rate_limits")),
            BuildConfig.read(root.section("build")),
            CachesConfig.read(root.section("caches")),
            ReleasesConfig.read(root.section("releases")),
            LimitsConfig.read(root.section("limits")),
            WebhooksConfig.read(root.section("webhooks")),
            root.optionalSection("acme").flatMap(AcmeConfig::read),
            DnsConfig.read(root.section("dns")),
            AccessLogConfig.read(root.section("access_log"), dataDir),
            MetricsConfig.read(root.section("metrics")),
            DatabasesConfig.read(root.section("databases")),
            RuntimeConfig.read(root.section("runtime")));
    root.end();
    config.check(root);
    return config;
  }

  /** What one section alone cannot tell. */
  private void check(Section root) {
    List.of("roles", "regions", "instance_types").forEach(root::checkNotEmpty);
    if (!tiers.containsKey(bootstrap.tier())) {
      root.problem(
          "bootstrap.tier",
          "must be one of the configured tiers, not \"%s\"".formatted(bootstrap.tier()));
    }
    if (runtime.ports().contains(http.port())) {
      root.problem(
          "http.port",
          "must lie outside runtime.ports, the ports of the applications, not %d"
              .formatted(http.port()));
    }
    if (https.isPresent() && https.get().port() == http.port()) {
      root.problem("https.port", "must differ from http.port, not " + http.port());
    }
    if (!roles.containsAll(EnumSet.allOf(Role.class))) {
      checkControlPort(root);
    }
    if (acme.isPresent() && https.isEmpty()) {
      root.problem("acme", "needs the section https, to serve with the certificates");
    }
  }

  private void checkControlPort(Section root) {
    int port = http.controlPort();
    if (port == http.port() || https.filter(it -> it.port() == port).isPresent()) {
      root.problem("http.control_port", "must differ from the ports of visitors, not " + port);
    }
    if (runtime.ports().contains(port)) {
      root.problem(
          "http.control_port",
          "must lie outside runtime.ports, the ports of the applications, not " + port);
    }
  }
}
