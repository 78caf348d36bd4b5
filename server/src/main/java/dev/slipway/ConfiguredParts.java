package dev.slipway;

import dev.slipway.accesslog.AccessLog;
import dev.slipway.account.Accounts;
import dev.slipway.api.Api;
import dev.slipway.api.MigrationOperations;
import dev.slipway.build.BuildConfig;
import dev.slipway.build.BuildPipeline;
import dev.slipway.certificate.Authority;
import dev.slipway.certificate.CertifiedKey;
import dev.slipway.certificate.Trust;
import dev.slipway.config.AccessLogConfig;
import dev.slipway.config.BootstrapConfig;
import dev.slipway.config.DatabasesConfig;
import dev.slipway.config.GitApi;
import dev.slipway.config.HttpsConfig;
import dev.slipway.config.InstanceTypeConfig;
import dev.slipway.config.RegionConfig;
import dev.slipway.config.RepoHostConfig;
import dev.slipway.config.Role;
import dev.slipway.config.RuntimeKind;
import dev.slipway.config.ServerConfig;
import dev.slipway.config.TierConfig;
import dev.slipway.core.AccountId;
import dev.slipway.core.Cidr;
import dev.slipway.core.Limits;
import dev.slipway.core.Secret;
import dev.slipway.core.TransientException;
import dev.slipway.dashboard.ServerFacts;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.DumpRuns;
import dev.slipway.database.mysql.MysqlProvider;
import dev.slipway.database.postgres.ApplicationsCluster;
import dev.slipway.database.postgres.PostgresDumps;
import dev.slipway.database.postgres.PostgresPrograms;
import dev.slipway.database.postgres.PostgresProvider;
import dev.slipway.db.Database;
import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.StoreAddress;
import dev.slipway.dbproject.BackupSettings;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.ClientLimits;
import dev.slipway.edge.EdgeFolder;
import dev.slipway.edge.EdgeOptions;
import dev.slipway.edge.HttpsOptions;
import dev.slipway.edge.OpenFiles;
import dev.slipway.edge.RouteStore;
import dev.slipway.edge.Routes;
import dev.slipway.framework.Frameworks;
import dev.slipway.hook.host.GitHostApi;
import dev.slipway.hook.host.GitHostApis;
import dev.slipway.hook.host.GithubApi;
import dev.slipway.hook.host.GitlabApi;
import dev.slipway.project.Project;
import dev.slipway.release.ReleaseStore;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.source.FetchLimit;
import dev.slipway.source.SourceHosts;
import dev.slipway.source.git.GitHost;
import dev.slipway.source.git.GitSource;
import dev.slipway.tool.OperatorSettings;
import dev.slipway.tool.Toolbox;
import dev.slipway.upload.UploadRoom;
import dev.slipway.upload.UploadStore;
import dev.slipway.upload.Uploads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of the server that are made as the configuration says, and of it alone.
 *
 * @param environment of the program; builds get its proxy and registry settings
 */
record ConfiguredParts(ServerConfig config, Map<String, String> environment) {
  private static final int PROCESSES_PER_INSTANCE = 512;

  private static final Set<Set<Role>> ROLES =
      Set.of(EnumSet.allOf(Role.class), EnumSet.of(Role.API, Role.WORKER), EnumSet.of(Role.EDGE));

  ConfiguredParts {
    environment = Map.copyOf(environment);
  }

  /** What the configuration may say but this version does not do: never silently something else. */
  void requireSupported() {
    if (!ROLES.contains(config.roles())) {
      throw new IllegalStateException(
          "roles: this version runs all three in one process, or [api, worker] in one and [edge] in another; not %s"
              .formatted(
                  config.roles().stream()
                      .sorted()
                      .map(Role::name)
                      .map(String::toLowerCase)
                      .toList()));
    }
    for (RegionConfig region : config.regions()) {
      if (region.runtime() != RuntimeKind.PROCESS) {
        throw new IllegalStateException(
            "regions: %s names a runtime that this version does not have; use process"
                .formatted(region.name()));
      }
    }
  }

  /** The operator's own store, where there is one. */
  Optional<StoreAddress> store() {
    return config
        .store()
        .map(store -> new StoreAddress(store.url(), store.user(), store.password()));
  }

  /** Where the store of a server is at that moment, for a process beside it that may outlive it. */
  Supplier<StoreAddress> runningStore(Path data) {
    return store()
        .<Supplier<StoreAddress>>map(address -> () -> address)
        .orElseGet(() -> () -> embeddedStore(PostgresSettings.below(data)));
  }

  private static StoreAddress embeddedStore(PostgresSettings settings) {
    try {
      return EmbeddedPostgres.running(settings)
          .orElseThrow(() -> new TransientException("the store is not running"));
    } catch (UncheckedIOException e) {
      throw new TransientException("the store cannot be found: " + e.getMessage(), e);
    }
  }

  Addresses addresses() {
    return new Addresses(config.http().publicUrl(), config.apps().domain());
  }

  Routes routes(Database database) {
    return new Routes(database, new RouteStore(addresses(), config.releases().keepAssets()));
  }

  SourceHosts sources(Path data, Accounts accounts) {
    FetchLimit limit = fetchLimit(data);
    List<GitHost> all =
        config.repoHosts().stream()
            .map(host -> new GitHost(host.kind(), host.url(), host.token()))
            .toList();
    List<SourceHosts.Entry> entries = new ArrayList<>();
    for (RepoHostConfig host : config.repoHosts()) {
      GitHost withToken = new GitHost(host.kind(), host.url(), host.token());
      entries.add(
          new SourceHosts.Entry(
              new GitSource(withToken, all, limit),
              new GitSource(withToken.anonymous(), all, limit),
              trusted(host, accounts)));
    }
    return new SourceHosts(entries);
  }

  /** Those that have a token for it. */
  GitHostApis gitHostApis(Accounts accounts) {
    Map<String, GitHostApis.Entry> entries = new HashMap<>();
    for (RepoHostConfig host : config.repoHosts()) {
      if (host.token().isPresent() && host.apiAddress().isPresent()) {
        GitHostApi api =
            gitHostApi(host.api().orElseThrow(), host.apiAddress().get(), host.token().get());
        entries.put(host.kind(), new GitHostApis.Entry(api, trusted(host, accounts)));
      }
    }
    return new GitHostApis(entries);
  }

  private static GitHostApi gitHostApi(GitApi kind, URI address, Secret token) {
    return switch (kind) {
      case GITHUB -> GithubApi.ofGithub(address, token);
      case GITLAB -> new GitlabApi(address, token);
      case GITEA -> GithubApi.ofGitea(address, token);
    };
  }

  private static Predicate<AccountId> trusted(RepoHostConfig host, Accounts accounts) {
    return host.accounts().isEmpty()
        ? accounts::isFirst
        : account -> host.accounts().contains(account.value());
  }

  ServerFacts facts(Path data, Sandbox sandbox, Accounts accounts, Instant startedAt) {
    return new ServerFacts(
        Version.current(),
        startedAt,
        data,
        sandbox.isolation(),
        sandbox::protection,
        config.regions(),
        config.tiers(),
        config.repoHosts().stream()
            .map(host ->
                new ServerFacts.GitHost(
                    host.kind(),
                    host.url(),
                    host.token().isPresent() ? trusted(host, accounts) : _ -> false))
            .toList(),
        config.limits().domainsPerAccount());
  }

  Uploads uploads(Path data, Database database, Clock clock) {
    return new Uploads(
        database,
        new UploadStore(),
        new UploadRoom(
            data.resolve("uploads"),
            config.limits().uploadBytes(),
            config.limits().unusedUploadsBytes(),
            config.limits().diskFreeMin()),
        fetchLimit(data),
        clock);
  }

  private FetchLimit fetchLimit(Path data) {
    return new FetchLimit(data.resolve("builds"), maxDiskBytes(), config.limits().diskFreeMin());
  }

  private long maxDiskBytes() {
    return (long) config.build().diskMb() << 20;
  }

  Toolbox toolbox(Path data, Sandbox sandbox, Supplier<Set<String>> needed, Clock clock) {
    return new Toolbox(data.resolve("tools"), sandbox, operator(), home(), needed, clock);
  }

  /**
   * What makes and reaches databases of applications.
   *
   * @param cluster for those that no server of the operator's takes
   */
  Map<DatabaseType, DatabaseProvider> databases(
      ApplicationsCluster cluster, DumpRuns dumps, Toolbox toolbox) {
    DatabaseProvider postgres =
        PostgresProvider.of(
            cluster,
            config.databases().postgres(),
            new PostgresDumps(dumps, new PostgresPrograms(dumps, toolbox)));
    DatabaseProvider mysql = new MysqlProvider(config.databases().mysql(), dumps);
    return Map.of(postgres.type(), postgres, mysql.type(), mysql);
  }

  BackupSettings backups(Path data) {
    DatabasesConfig.Backups backups = config.databases().backups();
    return new BackupSettings(
        data.resolve("backups"), backups.every(), backups.keep(), config.limits().diskFreeMin());
  }

  BuildPipeline pipeline(
      Path data, Sandbox sandbox, ReleaseStore releases, Frameworks frameworks, Toolbox toolbox) {
    BuildConfig build =
        new BuildConfig(
            config.build().timeout(),
            new Limits(
                config.build().memoryMb(),
                BuildConfig.CPU_WEIGHT,
                BuildConfig.DEFAULTS.limits().processes()),
            maxDiskBytes(),
            config.limits().diskFreeMin(),
            (long) config.caches().maxMb() << 20);
    return new BuildPipeline(data, sandbox, releases, frameworks, build, operator(), toolbox);
  }

  /** What builds get of this machine's way to proxies and registries. */
  OperatorSettings operator() {
    return OperatorSettings.of(environment, home());
  }

  private static Path home() {
    return Path.of(System.getProperty("user.home"));
  }

  Map<String, Limits> instanceTypes() {
    return config.instanceTypes().stream()
        .collect(
            Collectors.toMap(
                InstanceTypeConfig::name,
                type -> new Limits(type.memoryMb(), type.cpus(), PROCESSES_PER_INSTANCE)));
  }

  /** An account may outlive its tier in the configuration: it then has the default one's rights. */
  TierConfig tier(String name) {
    return Optional.ofNullable(config.tiers().get(name))
        .or(() -> Optional.ofNullable(config.tiers().get(BootstrapConfig.DEFAULTS.tier())))
        .orElseThrow();
  }

  MigrationOperations.Choices choices(SourceHosts sources, Frameworks frameworks) {
    return new MigrationOperations.Choices(
        Stream.concat(sources.kinds().stream(), Stream.of(Project.ZIP)).toList(),
        frameworks.names(),
        config.regions().stream().map(RegionConfig::name).toList(),
        config.instanceTypes().stream().map(InstanceTypeConfig::name).toList(),
        config.apps().maxInstances());
  }

  Api.Http http() {
    return new Api.Http(
        tier -> tier(tier).requestsPerMinute(),
        config.rateLimits().unauthenticatedPerMinute(),
        trustedProxies(),
        config.http().corsOrigins(),
        config.limits().jsonBytes(),
        config.metrics().token(),
        Api.Http.BODY_TIME);
  }

  EdgeOptions edgeOptions() {
    EdgeOptions plain =
        new EdgeOptions(
                config.http().host(),
                config.http().port(),
                config.http().publicUrl().getHost(),
                config.apps().domain())
            .withTrustedProxies(trustedProxies())
            .withClients(
                ClientLimits.DEFAULTS
                    .withPerAddress(config.limits().connectionsPerAddress())
                    .withAll(config.limits().connections().orElseGet(OpenFiles::connections)));
    return config
        .https()
        .map(https ->
            plain.withHttps(
                new HttpsOptions(
                    https.port(),
                    https.publicPort(),
                    Optional.of(https.hsts()).filter(Duration::isPositive))))
        .orElse(plain);
  }

  AccessLog accessLog() {
    AccessLogConfig settings = config.accessLog();
    return settings.enabled()
        ? AccessLog.in(settings.folder(), settings.keep(), (long) settings.maxMb() << 20)
        : AccessLog.off();
  }

  /** The plain port of the edge, where that is another process. */
  Optional<URI> edgeApart() {
    if (config.roles().contains(Role.EDGE)) {
      return Optional.empty();
    }
    String host = config.http().host();
    String reachable =
        switch (host) {
          case "0.0.0.0" -> "127.0.0.1";
          case "::" -> "[::1]";
          default -> host.contains(":") ? "[" + host + "]" : host;
        };
    return Optional.of(URI.create("http://%s:%d".formatted(reachable, config.http().port())));
  }

  /** Of the control plane, where another process is the edge. */
  EdgeOptions controlOptions(EdgeFolder folder) throws IOException {
    return new EdgeOptions(
            "127.0.0.1",
            config.http().controlPort(),
            config.http().publicUrl().getHost(),
            config.apps().domain())
        .withTrustedProxies(trustedProxies())
        .withControlSocket(folder.freeControlSocket());
  }

  /** The operator's own certificate. */
  Optional<CertifiedKey> certificate() {
    return config
        .https()
        .flatMap(HttpsConfig::files)
        .map(files -> {
          try {
            return CertifiedKey.read(
                Files.readString(files.certificate()),
                new Secret(Files.readString(files.privateKey())));
          } catch (IOException e) {
            throw new IllegalStateException("https: a file cannot be read: " + e.getMessage(), e);
          } catch (CertifiedKey.FaultException e) {
            throw new IllegalStateException(
                "https: what %s holds %s"
                    .formatted(
                        e.part() == CertifiedKey.Part.CERTIFICATE
                            ? files.certificate()
                            : files.privateKey(),
                        e.getMessage()),
                e);
          }
        });
  }

  Optional<Authority.Settings> authority() {
    return config
        .acme()
        .map(acme ->
            new Authority.Settings(
                acme.directory(), acme.email(), acme.caFile().map(Trust::inFile)));
  }

  private List<Cidr> trustedProxies() {
    return config.http().trustedProxies().stream().map(Cidr::parse).toList();
  }
}
