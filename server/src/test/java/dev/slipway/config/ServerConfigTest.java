package dev.slipway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.core.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerConfigTest {
  private static final Path DATA = Path.of("data").toAbsolutePath();

  private static final ServerConfig DEFAULTS =
      new ServerConfig(
          DATA,
          new HttpConfig(
              "127.0.0.1", 8080, URI.create("http://localhost:8080"), 8081, List.of(), List.of()),
          Optional.empty(),
          new AppsConfig(
              "localhost",
              Duration.ofSeconds(30),
              Duration.ofSeconds(60),
              10,
              3,
              Duration.ofMinutes(10)),
          Set.of(Role.API, Role.WORKER, Role.EDGE),
          Optional.empty(),
          new SecretsConfig(DATA.resolve("keys/master.json")),
          new BootstrapConfig(Optional.empty(), Optional.empty(), Optional.empty(), "free"),
          List.of(
              RepoHostConfig.of(
                  "github", URI.create("https://github.com"), Optional.empty(), List.of())),
          List.of(new RegionConfig("us-east-1", RuntimeKind.PROCESS)),
          List.of(
              new InstanceTypeConfig("small", 512, 0.5),
              new InstanceTypeConfig("medium", 2048, 1),
              new InstanceTypeConfig("large", 8192, 2)),
          Map.of(
              "free", new TierConfig(30, 100),
              "pro", new TierConfig(120, 100),
              "team", new TierConfig(600, 100)),
          new RateLimitsConfig(30),
          new BuildConfig(1, Duration.ofMinutes(15), 4096, 10_240),
          new CachesConfig(20_480),
          new ReleasesConfig(10, Duration.ofHours(24)),
          new LimitsConfig(
              1_048_576,
              524_288_000,
              2_097_152_000,
              33_554_432,
              2_147_483_648L,
              1_000,
              Optional.empty(),
              100),
          new WebhooksConfig(false),
          Optional.empty(),
          new DnsConfig(List.of()),
          new AccessLogConfig(true, DATA.resolve("logs"), Duration.ofDays(14), 1024),
          new MetricsConfig(Optional.empty()),
          new DatabasesConfig(
              Optional.empty(),
              Optional.empty(),
              new DatabasesConfig.Backups(Duration.ofHours(24), Duration.ofDays(7))),
          new RuntimeConfig(new PortRange(21_000, 28_999)));

  private static final String EVERY_KEY =
      """
      data_dir: /srv/slipway
      http:
        host: 0.0.0.0
        port: 80
        public_url: https://deploy.example.org
        control_port: 9090
        trusted_proxies: [10.0.0.0/8, "::1"]
        cors_origins: [https://ci.example.org]
      https: {port: 8443, public_port: 443, hsts: 0s, certificate: /tls/chain.pem, private_key: /tls/key.pem}
      apps: {domain: apps.example.org, drain: 1m, start_timeout: 3m, max_instances: 20, previews_awake: 5, preview_idle: 1h}
      roles: [api, edge]
      store: {url: "jdbc:postgresql://db/slipway", user: store-user, password: store-password}
      secrets: {key_file: /etc/slipway/key.json}
      bootstrap:
        email: admin@example.org
        password: bootstrap-password
        api_key: 0123456789abcdef0123456789abcdef
        tier: gold
      repo_hosts:
        - {kind: gitea, url: "http://git.example.org/", token: git-token, accounts: [shop, blog]}
        - {kind: local, url: "file:///srv/git/"}
      regions:
        - {name: eu-1, runtime: docker}
        - {name: eu-2, runtime: kubernetes}
      instance_types: [{name: tiny, memory_mb: 128, cpus: 0.25}]
      tiers:
        free: {requests_per_minute: 1, concurrent_migrations: 2}
        pro: {requests_per_minute: 3, concurrent_migrations: 4}
        team: {requests_per_minute: 5, concurrent_migrations: 6}
        gold: {requests_per_minute: 7, concurrent_migrations: 8}
      rate_limits: {unauthenticated_per_minute: 9}
      build: {concurrency: 2, timeout: 1h, memory_mb: 1024, disk_mb: 512}
      caches: {max_mb: 500}
      releases: {keep: 3, keep_assets: 90m}
      limits: {json_bytes: 64KiB, upload_bytes: 1GiB, unused_uploads_bytes: 2GiB, log_bytes: 100B, disk_free_min: 1TiB, connections_per_address: 64, connections: 4096, domains_per_account: 7}
      webhooks: {allow_private_targets: true}
      acme: {directory: https://acme.example.org/directory, email: tls@example.org, ca_file: /tls/ca.pem}
      dns: {servers: [192.0.2.53, "[::1]:5353"]}
      access_log: {enabled: false, folder: /var/log/slipway, keep: 3d, max_mb: 99}
      metrics: {token: metrics-token-metrics-token-metr}
      databases:
        backups: {every: 12h, keep: 14d}
        postgres: {url: "jdbc:postgresql://db/postgres", user: pg, password: pg-password}
        mysql: {url: "jdbc:mysql://db/", user: my, password: my-password}
      runtime: {ports: 30000-30999}
      """;

  @TempDir private Path folder;

  @Test
  void nothingSaidIsAllDefaults() {
    assertThat(ServerConfig.load(Optional.empty(), Map.of())).isEqualTo(DEFAULTS);
  }

  @Test
  void anEmptyFileIsAllDefaults() throws IOException {
    assertThat(load("# nothing yet\n", Map.of())).isEqualTo(DEFAULTS);
  }

  @Test
  void everyKeyCanBeSet() throws IOException {
    ServerConfig config = load(EVERY_KEY, Map.of());

    assertThat(config)
        .isEqualTo(
            new ServerConfig(
                Path.of("/srv/slipway"),
                new HttpConfig(
                    "0.0.0.0",
                    80,
                    URI.create("https://deploy.example.org"),
                    9090,
                    List.of("10.0.0.0/8", "::1"),
                    List.of("https://ci.example.org")),
                Optional.of(
                    new HttpsConfig(
                        8443,
                        443,
                        Duration.ZERO,
                        Optional.of(
                            new HttpsConfig.Files(
                                Path.of("/tls/chain.pem"), Path.of("/tls/key.pem"))))),
                new AppsConfig(
                    "apps.example.org",
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(3),
                    20,
                    5,
                    Duration.ofHours(1)),
                Set.of(Role.API, Role.EDGE),
                Optional.of(
                    new StoreConfig(
                        "jdbc:postgresql://db/slipway",
                        "store-user",
                        new Secret("store-password"))),
                new SecretsConfig(Path.of("/etc/slipway/key.json")),
                new BootstrapConfig(
                    Optional.of("admin@example.org"),
                    Optional.of(new Secret("bootstrap-password")),
                    Optional.of(new Secret("0123456789abcdef0123456789abcdef")),
                    "gold"),
                List.of(
                    RepoHostConfig.of(
                        "gitea",
                        URI.create("http://git.example.org"),
                        Optional.of(new Secret("git-token")),
                        List.of("shop", "blog")),
                    RepoHostConfig.of(
                        "local", URI.create("file:///srv/git"), Optional.empty(), List.of())),
                List.of(
                    new RegionConfig("eu-1", RuntimeKind.DOCKER),
                    new RegionConfig("eu-2", RuntimeKind.KUBERNETES)),
                List.of(new InstanceTypeConfig("tiny", 128, 0.25)),
                Map.of(
                    "free", new TierConfig(1, 2),
                    "pro", new TierConfig(3, 4),
                    "team", new TierConfig(5, 6),
                    "gold", new TierConfig(7, 8)),
                new RateLimitsConfig(9),
                new BuildConfig(2, Duration.ofHours(1), 1024, 512),
                new CachesConfig(500),
                new ReleasesConfig(3, Duration.ofMinutes(90)),
                new LimitsConfig(
                    65_536,
                    1_073_741_824,
                    2_147_483_648L,
                    100,
                    1_099_511_627_776L,
                    64,
                    Optional.of(4096),
                    7),
                new WebhooksConfig(true),
                Optional.of(
                    new AcmeConfig(
                        URI.create("https://acme.example.org/directory"),
                        "tls@example.org",
                        Optional.of(Path.of("/tls/ca.pem")))),
                new DnsConfig(
                    List.of(
                        new InetSocketAddress(InetAddress.ofLiteral("192.0.2.53"), 53),
                        new InetSocketAddress(InetAddress.ofLiteral("::1"), 5353))),
                new AccessLogConfig(false, Path.of("/var/log/slipway"), Duration.ofDays(3), 99),
                new MetricsConfig(Optional.of(new Secret("metrics-token-metrics-token-metr"))),
                new DatabasesConfig(
                    Optional.of(
                        new DatabaseServerConfig(
                            "jdbc:postgresql://db/postgres", "pg", new Secret("pg-password"))),
                    Optional.of(
                        new DatabaseServerConfig(
                            "jdbc:mysql://db/", "my", new Secret("my-password"))),
                    new DatabasesConfig.Backups(Duration.ofHours(12), Duration.ofDays(14))),
                new RuntimeConfig(new PortRange(30_000, 30_999))));
  }

  @Test
  void noSecretIsShown() throws IOException {
    assertThat(load(EVERY_KEY, Map.of()).toString())
        .doesNotContain("-password", "git-token", "0123456789abcdef");
  }

  @Test
  void thePublicAddressFollowsThePort() {
    ServerConfig config = ServerConfig.load(Optional.empty(), Map.of("SLIPWAY_HTTP_PORT", "9090"));

    assertThat(config.http().publicUrl()).isEqualTo(URI.create("http://localhost:9090"));
  }

  @Test
  void theKeyFileFollowsTheDataDirectory() {
    ServerConfig config =
        ServerConfig.load(Optional.empty(), Map.of("SLIPWAY_DATA_DIR", "/srv/slipway"));

    assertThat(config.secrets().keyFile()).isEqualTo(Path.of("/srv/slipway/keys/master.json"));
  }

  @Test
  void theEnvironmentNamesTheFile() throws IOException {
    Path file = Files.writeString(folder.resolve("other.yaml"), "http: {port: 9091}");
    ServerConfig config =
        ServerConfig.load(Optional.empty(), Map.of("SLIPWAY_CONFIG", file.toString()));

    assertThat(config.http().port()).isEqualTo(9091);
  }

  private ServerConfig load(String yaml, Map<String, String> environment) throws IOException {
    Path file = Files.writeString(folder.resolve("server.yaml"), yaml);
    return ServerConfig.load(Optional.of(file), environment);
  }
}
