package dev.slipway;

import dev.slipway.accesslog.AccessLog;
import dev.slipway.account.AccountStore;
import dev.slipway.account.Accounts;
import dev.slipway.account.ApiKeys;
import dev.slipway.account.Audit;
import dev.slipway.account.AuditStore;
import dev.slipway.account.Callers;
import dev.slipway.account.Invitations;
import dev.slipway.account.PasswordGate;
import dev.slipway.account.Sessions;
import dev.slipway.account.Users;
import dev.slipway.api.Api;
import dev.slipway.api.SideApi;
import dev.slipway.build.BuildPipeline;
import dev.slipway.build.DryRun;
import dev.slipway.certificate.Authority;
import dev.slipway.certificate.CertificateJob;
import dev.slipway.certificate.CertificateService;
import dev.slipway.certificate.CertificateStore;
import dev.slipway.certificate.EdgeCheck;
import dev.slipway.certificate.OrderStore;
import dev.slipway.certificate.TlsTables;
import dev.slipway.config.BootstrapConfig;
import dev.slipway.config.ServerConfig;
import dev.slipway.core.TransientException;
import dev.slipway.dashboard.Dashboard;
import dev.slipway.dashboard.ServerFacts;
import dev.slipway.database.DatabaseProvider;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.DumpRuns;
import dev.slipway.database.postgres.ApplicationsCluster;
import dev.slipway.db.Database;
import dev.slipway.db.DirectoryLock;
import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.Notifications;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.SchemaMigrations;
import dev.slipway.db.SoleServer;
import dev.slipway.db.StoreAddress;
import dev.slipway.dbproject.DatabaseProjects;
import dev.slipway.deployment.DeploymentHistory;
import dev.slipway.deployment.DeploymentStore;
import dev.slipway.deployment.Deployments;
import dev.slipway.deployment.PreviewLimits;
import dev.slipway.deployment.Records;
import dev.slipway.deployment.StepStore;
import dev.slipway.domain.Dns;
import dev.slipway.domain.DomainJob;
import dev.slipway.domain.DomainService;
import dev.slipway.domain.DomainStore;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.AllTraffic;
import dev.slipway.edge.ClientAddress;
import dev.slipway.edge.ControlPlane;
import dev.slipway.edge.EdgeFolder;
import dev.slipway.edge.EdgeRecords;
import dev.slipway.edge.EdgeServer;
import dev.slipway.edge.HealthCheck;
import dev.slipway.edge.RemoteEdges;
import dev.slipway.edge.Routes;
import dev.slipway.edge.WakeCalls;
import dev.slipway.event.Events;
import dev.slipway.event.Placing;
import dev.slipway.framework.Frameworks;
import dev.slipway.hook.GitHooks;
import dev.slipway.hook.Reports;
import dev.slipway.instance.Instances;
import dev.slipway.instance.Patience;
import dev.slipway.instance.PortPool;
import dev.slipway.job.Job;
import dev.slipway.job.Jobs;
import dev.slipway.metric.Exposition;
import dev.slipway.metric.ProjectMetrics;
import dev.slipway.metric.TrafficMeters;
import dev.slipway.metric.TrafficReport;
import dev.slipway.metric.TrafficStore;
import dev.slipway.metric.UseReport;
import dev.slipway.metric.UseStore;
import dev.slipway.migration.DryRuns;
import dev.slipway.migration.MigrationService;
import dev.slipway.migration.MigrationStore;
import dev.slipway.migration.SourceBranches;
import dev.slipway.plantstore.PlantStore;
import dev.slipway.preview.PullRequestPreviews;
import dev.slipway.project.CrashingStore;
import dev.slipway.project.ProjectService;
import dev.slipway.project.ProjectStore;
import dev.slipway.project.PurgeJob;
import dev.slipway.project.PurgeStore;
import dev.slipway.project.RestartStore;
import dev.slipway.recovery.Restoration;
import dev.slipway.release.ReleaseRecordStore;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runlog.LogCap;
import dev.slipway.runlog.RunLogs;
import dev.slipway.runtime.process.ProcessRuntime;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.site.Sites;
import dev.slipway.source.SourceHosts;
import dev.slipway.source.git.GitSource;
import dev.slipway.tool.Toolbox;
import dev.slipway.upload.Uploads;
import dev.slipway.vault.Vault;
import dev.slipway.webhook.Clearing;
import dev.slipway.webhook.Courier;
import dev.slipway.webhook.FanOut;
import dev.slipway.webhook.WebhookService;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole program, or the control plane of it without the edge, put together; this package alone
 * names adapters. It reads from top to bottom in the order of the start; what was started is ended
 * in the reverse order.
 */
public final class Server implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Server.class);
  private static final int WORK_THREADS = 32;
  private static final int NAME_THREADS = 64;
  private static final int CERTIFICATE_THREADS = 16;
  private static final int REPORT_THREADS = 4;
  private static final Duration DRY_RUN_LIMIT = Duration.ofSeconds(60);
  private static final Duration BRANCHES_LIMIT = Duration.ofSeconds(10);

  private final Lifetime lifetime = new Lifetime();
  private final Clock clock = Clock.systemUTC();
  private final ServerConfig config;
  private final ConfiguredParts configured;

  private boolean appsEndToo;

  private Server(ServerConfig config, Map<String, String> environment) {
    this.config = config;
    this.configured = new ConfiguredParts(config, environment);
  }

  /**
   * Starts a server and returns when its port is open: routes are loaded and running apps adopted
   * by then.
   *
   * @param environment of this program; builds get its proxy and registry settings
   * @param console what is to be shown to the operator, once
   * @throws StartException with a sentence that says what to do
   */
  public static Server start(
      ServerConfig config, Map<String, String> environment, Consumer<String> console) {
    Server server = new Server(config, environment);
    try {
      server.start(console);
      return server;
    } catch (IOException | UncheckedIOException | IllegalStateException | TransientException e) {
      server.close();
      throw new StartException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** The server cannot start as things are; the message says to the operator what to do. */
  public static final class StartException extends RuntimeException {
    StartException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private void start(Consumer<String> console) throws IOException {
    configured.requireSupported();
    Path data = Files.createDirectories(config.dataDir());
    closing(DirectoryLock.acquire(data));
    Restoration.clear(data);
    // It waits for other programs, as the store does: both wait at once.
    CompletableFuture<Sandbox> strongestSandbox = ahead(() -> Sandbox.strongest(data));
    Database database = database(data);
    Notifications notifications = closing(Notifications.open(database.address()));
    Accounts accounts = new Accounts(database, new AccountStore(), clock);
    Callers callers = new Callers(database, clock);
    Vault vault = vault(accounts);
    bootstrap(accounts, console);

    Vertx vertx = EdgeServer.newVertx();
    closing(() -> vertx.close().toCompletionStage().toCompletableFuture().join());
    Addresses addresses = configured.addresses();
    Routes routes = configured.routes(database);
    RunLogs logs =
        new RunLogs(database, notifications, new LogCap(config.limits().logBytes()), clock);

    Sandbox sandbox = waitedFor(strongestSandbox);
    log.info("isolation of builds and programs: {}", sandbox.isolation());
    Thread.ofVirtual().name("network of builds").start(() -> warnOfSharedNetwork(sandbox));
    ReleaseRecordStore releaseRecords = new ReleaseRecordStore();
    Toolbox toolbox =
        configured.toolbox(data, sandbox, () -> database.read(releaseRecords::toolsInUse), clock);
    ReleaseStore releases = new ReleaseStore(data.resolve("releases"), clock);
    Frameworks frameworks = new Frameworks();
    ApplicationsCluster cluster = closing(ApplicationsCluster.below(data));
    cluster.startIfMade();
    closing(() -> {
      if (appsEndToo) {
        cluster.endEverything();
      }
    });
    String worker = WorkerName.of(data);
    Instances running =
        new Instances(
            database,
            worker,
            routes,
            releases,
            new ProcessRuntime(sandbox, data.resolve("instances")),
            new HealthCheck(vertx),
            new PortPool(config.runtime().ports()),
            Patience.of(config.apps().startTimeout()),
            clock);
    closing(() -> {
      if (appsEndToo) {
        running.endEverything();
      }
    });
    Uploads uploads = configured.uploads(data, database, clock);
    ProjectStore projects = new ProjectStore(vault);
    RestartStore restarts = new RestartStore();
    DeploymentStore deploymentStore = new DeploymentStore(vault);
    SourceHosts sources = configured.sources(data, accounts);
    BuildPipeline pipeline = configured.pipeline(data, sandbox, releases, frameworks, toolbox);
    DryRun dryRun = new DryRun(data, frameworks, DRY_RUN_LIMIT, pipeline::requireRoom);
    Map<DatabaseType, DatabaseProvider> providers =
        configured.databases(cluster, new DumpRuns(sandbox, data.resolve("dumps")), toolbox);
    DatabaseProjects databases =
        new DatabaseProjects(database, providers, vault, configured.backups(data), clock);
    Deployments deployments =
        new Deployments(
            new Deployments.Parts(
                database,
                notifications,
                new Records(
                    deploymentStore,
                    new StepStore(),
                    projects,
                    restarts,
                    new CrashingStore(),
                    releaseRecords),
                logs,
                sources,
                uploads,
                pipeline,
                toolbox,
                running,
                configured.instanceTypes(),
                routes,
                addresses,
                databases.service(),
                clock));
    DomainStore domainStore = new DomainStore();
    Dns dns = new Dns(config.dns().servers());
    DomainService domains =
        new DomainService(
            database,
            domainStore,
            projects,
            routes,
            dns,
            addresses,
            config.limits().domainsPerAccount(),
            clock);
    boolean apart = configured.edgeApart().isPresent();
    CertificateStore certificateStore = new CertificateStore(vault);
    OrderStore orders = new OrderStore(vault);
    TlsTables tlsTables =
        new TlsTables(database, certificateStore, orders, configured.certificate());
    Optional<Authority> authority =
        configured
            .authority()
            .map(settings ->
                new Authority(
                    database,
                    orders,
                    tlsTables,
                    settings,
                    configured.edgeApart().map(EdgeCheck::new)));
    CertificateService certificates =
        new CertificateService(
            database, certificateStore, orders, tlsTables, domains, authority.isPresent(), clock);
    domains.tell(certificates);
    MigrationService migrations =
        new MigrationService(
            database,
            new MigrationStore(),
            projects,
            deployments.service(),
            domains,
            uploads,
            logs,
            tier -> configured.tier(tier).concurrentMigrations(),
            databases.service(),
            clock);
    deployments.tell(migrations);
    databases.service().tell(deployments.databaseUsers());
    ProjectService projectService =
        new ProjectService(
            database, projects, restarts, new AuditStore(), routes, databases.service(), clock);
    // Before the deployments: what is canceled must not let a migration of the project begin.
    projectService.tell(migrations);
    projectService.tell(deployments.service());
    projectService.tell(domains);
    PullRequestPreviews previews =
        new PullRequestPreviews(
            new PullRequestPreviews.Parts(
                database,
                projects,
                projectService,
                deployments.service(),
                routes,
                addresses,
                config.apps().previewIdle(),
                clock));
    projectService.tell(previews.projectListener());
    deployments.tell(previews.deploymentListener());

    GitHooks hooks =
        new GitHooks(
            database, vault, projects, deployments.service(), previews.pullRequests(), clock);
    Reports reports =
        new Reports(
            database,
            configured.gitHostApis(accounts),
            projects,
            deployments.service(),
            addresses,
            clock);
    reports.tellOf(previews.reports());
    deployments.tell(reports);
    previews.tell(reports::previewMoved);

    PasswordGate passwords = PasswordGate.forCores();
    Sessions sessions = new Sessions(database, passwords, clock);
    Invitations invitations = new Invitations(database, sessions, passwords, clock);
    Dashboard.AccountParts dashboardAccounts =
        new Dashboard.AccountParts(
            sessions,
            new Users(database, passwords, clock),
            invitations,
            new ApiKeys(database, clock),
            callers,
            new Audit(database, clock));

    Events events = new Events(database, clock);
    events.listen(notifications);
    events.tell(new FanOut(vault, clock));
    TrafficStore trafficStore = new TrafficStore();
    UseStore useStore = new UseStore();
    ProjectMetrics metrics = new ProjectMetrics(database, trafficStore, useStore, clock);
    WebhookService webhooks =
        new WebhookService(database, vault, config.webhooks().allowPrivateTargets(), clock);
    TrafficMeters meters = new TrafficMeters();
    closing(new TrafficReport(database, trafficStore, meters, clock).start());
    Api.Parts apiParts =
        new Api.Parts(
            vertx,
            database,
            vault,
            accounts,
            callers,
            migrations,
            new DryRuns(sources, uploads, dryRun),
            deployments.service(),
            logs,
            uploads,
            addresses,
            configured.choices(sources, frameworks),
            new Api.ProjectParts(
                projectService,
                deployments.restarts(),
                previews.service(),
                domains,
                certificates,
                metrics,
                hooks,
                new Api.DatabaseParts(databases.service(), providers),
                config.instanceTypes(),
                configured::tier),
            events,
            webhooks,
            new Exposition(meters, config.metrics().token().isPresent()),
            clock,
            configured.http());
    Api api = new Api(apiParts);
    deployments.tell(api.announcer());
    migrations.tell(api.announcer());
    projectService.tell(api.announcer());
    domains.tell(api.announcer());
    EdgeServer edge =
        new EdgeServer(
            vertx,
            apart ? configured.controlOptions(EdgeFolder.below(data)) : configured.edgeOptions(),
            deployments.waker(),
            Sites.of(releases),
            new ControlPlane.Here(
                entrances(
                    apiParts,
                    api,
                    dashboardAccounts,
                    deployments.history(),
                    configured.facts(data, sandbox, accounts, clock.instant()),
                    new SourceBranches(sources, BRANCHES_LIMIT))),
            new EdgeRecords(
                apart
                    ? AccessLog.off()
                    : closing(configured.accessLog()), // The edge has written it.
                meters));
    if (apart) {
      new WakeCalls(database, deployments.waker()).listen(notifications);
    } else {
      routes.feed(edge);
      tlsTables.feed(edge::secure);
    }
    RemoteEdges otherEdges =
        closing(new RemoteEdges(database, apart, new EdgeFolder(data.resolve("edge")).locks()));
    List<Job> work =
        new ArrayList<>(
            deployments.jobs(
                apart ? otherEdges : new AllTraffic(edge, otherEdges),
                config.apps().drain(),
                releases,
                config.releases().keep(),
                new PreviewLimits(config.apps().previewsAwake(), config.apps().previewIdle())));
    work.addAll(databases.jobs());
    work.add(reports.job());
    work.addAll(previews.jobs());
    work.add(new Clearing(database, vault, clock));
    work.add(new PurgeJob(database, new PurgeStore()));
    work.add(
        new DomainJob(database, domainStore, dns, addresses, routes, domains.listeners(), clock));
    work.add(
        new CertificateJob(
            database, domainStore, certificateStore, orders, tlsTables, authority, clock));
    work.add(
        Api.housekeeping(
            database,
            vault,
            List.of(
                callers::forgetOldWindows,
                sessions::forgetOld,
                invitations::forgetOld,
                uploads::collect,
                metrics::forgetOld,
                events::forgetOld,
                hooks::forgetOld,
                webhooks::forgetOld),
            clock));
    Jobs jobs =
        new Jobs(
            database,
            notifications,
            clock,
            worker,
            work,
            Map.of(
                Job.Queue.BUILDS,
                config.build().concurrency(),
                Job.Queue.WORK,
                WORK_THREADS,
                Job.Queue.CHORES,
                WORK_THREADS,
                Job.Queue.NAMES,
                NAME_THREADS,
                Job.Queue.CERTIFICATES,
                CERTIFICATE_THREADS,
                Job.Queue.REPORTS,
                REPORT_THREADS,
                Job.Queue.DATABASES,
                DatabaseProjects.JOBS_AT_ONCE));
    closing(deployments.upkeep());
    deployments.recover();
    databases.recover();
    closing(new UseReport(database, useStore, worker, running::uses, clock).start());
    routes.follow(notifications);
    tlsTables.follow(notifications);
    otherEdges.follow(notifications);
    certificates.orderMissing();
    closing(
        new Courier(database, vault, vertx, worker, config.webhooks().allowPrivateTargets(), clock)
            .start(notifications));
    closing(new Placing(events).start(notifications));
    closing(jobs::stop);
    jobs.start();
    Api.scheduleHousekeeping(database, clock);
    closing(edge::close);
    edge.start();
    Thread.ofPlatform().daemon().name("warm-up").start(GitSource::warmUp);
    Thread tools = Thread.ofPlatform().daemon().name("tools of the host").start(toolbox::warmUp);
    closing(() -> {
      tools.interrupt(); // what it runs is below the data directory
      tools.join();
    });
    log.info(
        "ready at {}",
        apart ? "port " + edge.port() + " of this machine" : config.http().publicUrl());
  }

  /** Apart from the start, as it may have to wait for the name of a proxy to be known. */
  private void warnOfSharedNetwork(Sandbox sandbox) {
    sandbox
        .whyShared()
        .or(() ->
            configured
                .operator()
                .onThisMachine()
                .map(host -> "%s is a proxy or registry on this machine".formatted(host)))
        .ifPresent(why -> log.warn("builds reach this host's own addresses: {}", why));
  }

  private static <T> CompletableFuture<T> ahead(Supplier<T> work) {
    return CompletableFuture.supplyAsync(
        work, task -> Thread.ofPlatform().daemon().name("ahead").start(task));
  }

  /** What the work threw comes out as it was. */
  private static <T> T waitedFor(CompletableFuture<T> work) {
    try {
      return work.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private Database database(Path data) {
    StoreAddress address =
        configured
            .store()
            .orElseGet(
                () -> closing(EmbeddedPostgres.start(PostgresSettings.below(data))).address());
    Database database = closing(Database.connect(address));
    closing(SoleServer.acquire(address));
    new SchemaMigrations().apply(address.unlimited());
    return database;
  }

  /** A new key would open nothing of what an earlier one sealed: better no server than that. */
  private Vault vault(Accounts accounts) throws IOException {
    Path keyFile = config.secrets().keyFile();
    if (!Files.exists(keyFile) && accounts.exist()) {
      throw new IllegalStateException(
          "the key file %s is missing, but the store holds secrets that were sealed with it: restore it from a backup"
              .formatted(keyFile));
    }
    return Vault.open(keyFile);
  }

  private void bootstrap(Accounts accounts, Consumer<String> console) {
    BootstrapConfig bootstrap = config.bootstrap();
    accounts
        .bootstrap(
            new Accounts.Bootstrap(
                bootstrap.email().orElse("owner@localhost"),
                bootstrap.password(),
                bootstrap.apiKey(),
                bootstrap.tier()))
        .ifPresent(made -> {
          console.accept("The first account is made. Keep these; they are not shown again:");
          console.accept("  user      " + made.email());
          if (bootstrap.password().isEmpty()) {
            console.accept("  password  " + made.password().reveal());
          }
          if (bootstrap.apiKey().isEmpty()) {
            console.accept("  API key   " + made.apiKey().reveal());
          }
          console.accept("  sign in   " + config.http().publicUrl() + "/dashboard");
        });
  }

  private static Handler<HttpServerRequest> entrances(
      Api.Parts parts,
      Api api,
      Dashboard.AccountParts accounts,
      DeploymentHistory history,
      ServerFacts facts,
      SourceBranches branches) {
    SideApi plantStore = PlantStore.api();
    Handler<HttpServerRequest> plants = plantStore.handler(parts);
    Handler<HttpServerRequest> main = api.handler();
    Handler<HttpServerRequest> pages =
        new Dashboard(
                new Dashboard.Parts(
                    parts.vertx(),
                    api.local(),
                    accounts,
                    parts.projects().service(),
                    parts.projects().databases().service(),
                    parts.deployments(),
                    history,
                    parts.projects().metrics(),
                    parts.logs(),
                    new Dashboard.NewProjects(
                        branches, parts.choices().frameworks(), parts.choices().maxInstances()),
                    parts.addresses(),
                    new ClientAddress(parts.http().trustedProxies()),
                    parts.migrations(),
                    parts.projects().domains(),
                    parts.projects().hooks(),
                    parts.projects().previews(),
                    parts.webhooks(),
                    facts,
                    parts.clock()))
            .handler();
    return request -> {
      Handler<HttpServerRequest> entrance =
          Dashboard.takes(request) ? pages : plantStore.takes(request) ? plants : main;
      entrance.handle(request);
    };
  }

  /** Ends the server and leaves the applications running: the next start adopts them. */
  @Override
  public synchronized void close() {
    lifetime.close();
  }

  /** Ends the server and every application that it runs. */
  public synchronized void closeWithApps() {
    appsEndToo = true;
    close();
  }

  private <T extends AutoCloseable> T closing(T part) {
    return lifetime.closing(part);
  }
}
