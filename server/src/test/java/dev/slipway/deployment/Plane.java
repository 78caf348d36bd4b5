package dev.slipway.deployment;

import dev.slipway.account.AuditStore;
import dev.slipway.build.BuildConfig;
import dev.slipway.build.BuildPipeline;
import dev.slipway.certificate.CertificateService;
import dev.slipway.certificate.CertificateStore;
import dev.slipway.certificate.OrderStore;
import dev.slipway.certificate.TlsTables;
import dev.slipway.config.PortRange;
import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.EdgeId;
import dev.slipway.core.EnvVars;
import dev.slipway.core.Limits;
import dev.slipway.core.TestClock;
import dev.slipway.database.DatabaseType;
import dev.slipway.database.DumpRuns;
import dev.slipway.database.FakeDatabases;
import dev.slipway.database.mysql.MysqlProvider;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.db.TestDatabase;
import dev.slipway.dbproject.BackupSettings;
import dev.slipway.dbproject.DatabaseProjects;
import dev.slipway.domain.DomainJob;
import dev.slipway.domain.DomainService;
import dev.slipway.domain.DomainStore;
import dev.slipway.domain.TestDns;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.EdgeLink;
import dev.slipway.edge.EdgeLocks;
import dev.slipway.edge.EdgeOptions;
import dev.slipway.edge.EdgeServer;
import dev.slipway.edge.HealthCheck;
import dev.slipway.edge.RemoteEdges;
import dev.slipway.edge.Route;
import dev.slipway.edge.RouteStore;
import dev.slipway.edge.RouteTable;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Target;
import dev.slipway.edge.Traffic;
import dev.slipway.event.Events;
import dev.slipway.framework.Frameworks;
import dev.slipway.hook.GitHooks;
import dev.slipway.hook.TestPullRequests;
import dev.slipway.instance.Instances;
import dev.slipway.instance.Patience;
import dev.slipway.instance.PortPool;
import dev.slipway.job.Job;
import dev.slipway.job.ManualJobs;
import dev.slipway.migration.MigrationService;
import dev.slipway.migration.MigrationStore;
import dev.slipway.preview.PullRequestPreviews;
import dev.slipway.project.CrashingStore;
import dev.slipway.project.Label;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectService;
import dev.slipway.project.ProjectStore;
import dev.slipway.project.PurgeJob;
import dev.slipway.project.PurgeStore;
import dev.slipway.project.RestartStore;
import dev.slipway.release.ReleaseRecordStore;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runlog.LogCap;
import dev.slipway.runlog.LogEntry;
import dev.slipway.runlog.RunLogs;
import dev.slipway.runlog.StoredEntry;
import dev.slipway.runtime.FakeRuntime;
import dev.slipway.sandbox.Sandbox;
import dev.slipway.sandbox.Trees;
import dev.slipway.site.Sites;
import dev.slipway.source.FakeSourceHost;
import dev.slipway.source.RepoName;
import dev.slipway.source.SourceHosts;
import dev.slipway.source.WideLimit;
import dev.slipway.tool.OperatorSettings;
import dev.slipway.tool.Toolbox;
import dev.slipway.upload.UploadRoom;
import dev.slipway.upload.UploadStore;
import dev.slipway.upload.Uploads;
import dev.slipway.vault.Vault;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A control plane with a real store and real parts, save the engine and the git host; the test runs
 * its jobs. Closing it ends all of it.
 */
public final class Plane implements AutoCloseable {
  public static final Addresses ADDRESSES =
      new Addresses(URI.create("http://localhost:8080"), "localhost");
  public static final String REGION = "us-east-1";
  public static final String INSTANCE_TYPE = "small";
  public static final int MAX_UPLOAD_BYTES = 4 << 20;
  public static final int MAX_UNUSED_BYTES = 100 << 20;
  public static final int MAX_DOMAINS = 5;
  public static final Duration KEEP_ASSETS = Duration.ofHours(24);
  private static final Duration DRAIN = Duration.ofSeconds(1);

  public final TestClock clock = new TestClock();
  public final Database database = TestDatabase.fresh();
  public final Notifications notifications = Notifications.open(database.address());
  public final Vertx vertx = EdgeServer.newVertx();
  public final TestDns dns = new TestDns();
  public final FakeSourceHost host = new FakeSourceHost();
  public final SourceHosts sources =
      new SourceHosts(List.of(new SourceHosts.Entry(host, host, _ -> true)));
  public final Path directory = makeDirectory();
  public final Vault vault = openVault();
  public final RunLogs logs = new RunLogs(database, notifications, new LogCap(1 << 20), clock);
  private final Path home = Path.of(System.getProperty("user.home"));
  private final OperatorSettings operator = OperatorSettings.of(System.getenv(), home);
  private final Toolbox toolbox =
      new Toolbox(
          directory.resolve("tools"),
          Engine.SANDBOX,
          operator,
          home,
          () -> database.read(new ReleaseRecordStore()::toolsInUse),
          clock);
  public final ReleaseStore releases = new ReleaseStore(directory.resolve("releases"), clock);
  public final Uploads uploads =
      new Uploads(
          database,
          new UploadStore(),
          new UploadRoom(directory.resolve("uploads"), MAX_UPLOAD_BYTES, MAX_UNUSED_BYTES, 0),
          WideLimit.below(directory),
          clock);
  public final Events events = new Events(database, clock);
  public final FakeDatabases servers = new FakeDatabases();

  /** No server of the operator's. */
  public final MysqlProvider mysql =
      new MysqlProvider(Optional.empty(), new DumpRuns(Engine.SANDBOX, directory.resolve("dumps")));

  public final DatabaseProjects databases =
      new DatabaseProjects(
          database,
          Map.of(DatabaseType.POSTGRES, servers, DatabaseType.MYSQL, mysql),
          vault,
          new BackupSettings(
              directory.resolve("backups"), Duration.ofDays(1), Duration.ofDays(7), 0),
          clock);
  final Records records =
      new Records(
          new DeploymentStore(vault),
          new StepStore(),
          new ProjectStore(vault),
          new RestartStore(),
          new CrashingStore(),
          new ReleaseRecordStore());
  private final Settings settings;
  private final boolean apart;
  private final List<Worker> workers = new ArrayList<>();
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  public final AccountId account;
  public final Worker main;

  /**
   * @param keep how many releases of a project are kept
   * @param concurrentMigrations of an account
   * @param realBuilds whether the pipeline builds, which takes a second or more
   */
  public record Settings(
      int keep, int concurrentMigrations, boolean realBuilds, PreviewLimits previews) {
    public Settings(int keep, int concurrentMigrations, boolean realBuilds) {
      this(keep, concurrentMigrations, realBuilds, new PreviewLimits(3, Duration.ofMinutes(10)));
    }

    public static final Settings DEFAULTS = new Settings(10, 100, false);
  }

  public Plane() {
    this(Settings.DEFAULTS);
  }

  public Plane(Settings settings) {
    this(settings, false);
  }

  /**
   * @param apart whether the edge is asked over the store, as if it were another process
   */
  Plane(Settings settings, boolean apart) {
    this.settings = settings;
    this.apart = apart;
    this.account = addAccount();
    this.main = worker("main");
  }

  /** One server of the plane: an engine, instances and jobs of its own over the same store. */
  public final class Worker {
    public final FakeRuntime runtime = new FakeRuntime();
    public final AtomicReference<RouteTable> table = new AtomicReference<>(RouteTable.EMPTY);
    public final Routes routes = routes(database);
    public final Instances instances;
    public final Deployments deployments;
    public final MigrationService migrations;
    public final ProjectService projects;
    public final PullRequestPreviews previews;
    public final DomainService domains;
    public final CertificateService certificates;
    public final TestPullRequests pullRequests = new TestPullRequests();
    public final GitHooks hooks;
    public final ManualJobs jobs;

    private Worker(String name) {
      int first = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      instances =
          new Instances(
              database,
              name,
              routes,
              releases,
              runtime,
              new HealthCheck(vertx),
              new PortPool(new PortRange(first, first + 200)),
              Patience.of(Duration.ofSeconds(60)),
              clock);
      deployments =
          new Deployments(
              new Deployments.Parts(
                  database,
                  notifications,
                  records,
                  logs,
                  sources,
                  uploads,
                  pipeline(),
                  toolbox,
                  instances,
                  Map.of(INSTANCE_TYPE, new Limits(512, 0.5, 64)),
                  routes,
                  ADDRESSES,
                  databases.service(),
                  clock));
      domains =
          new DomainService(
              database,
              new DomainStore(),
              records.projects(),
              routes,
              dns.client(),
              ADDRESSES,
              MAX_DOMAINS,
              clock);
      CertificateStore certificateStore = new CertificateStore(vault);
      OrderStore orders = new OrderStore(vault);
      certificates =
          new CertificateService(
              database,
              certificateStore,
              orders,
              new TlsTables(database, certificateStore, orders, Optional.empty()),
              domains,
              false,
              clock);
      domains.tell(certificates);
      migrations =
          new MigrationService(
              database,
              new MigrationStore(),
              records.projects(),
              deployments.service(),
              domains,
              uploads,
              logs,
              _ -> settings.concurrentMigrations(),
              databases.service(),
              clock);
      deployments.tell(migrations);
      databases.service().tell(deployments.databaseUsers());
      projects =
          new ProjectService(
              database,
              records.projects(),
              records.restarts(),
              new AuditStore(),
              routes,
              databases.service(),
              clock);
      projects.tell(migrations);
      projects.tell(deployments.service());
      projects.tell(domains);
      hooks =
          new GitHooks(
              database, vault, records.projects(), deployments.service(), pullRequests, clock);
      previews =
          new PullRequestPreviews(
              new PullRequestPreviews.Parts(
                  database,
                  records.projects(),
                  projects,
                  deployments.service(),
                  routes,
                  ADDRESSES,
                  settings.previews().idle(),
                  clock));
      projects.tell(previews.projectListener());
      deployments.tell(previews.deploymentListener());
      EdgeServer edge =
          new EdgeServer(
              vertx,
              new EdgeOptions("127.0.0.1", 0, "localhost", "localhost"),
              deployments.waker(),
              Sites.of(releases),
              request -> request.response().end());
      Routes feeding = apart ? routes(database) : routes;
      feeding.feed(
          new Routes.Edge() {
            @Override
            public void apply(RouteTable newer) {
              table.updateAndGet(old -> newer.version() < old.version() ? old : newer);
              edge.apply(newer);
            }

            @Override
            public void reset(RouteTable settled) {
              table.set(settled);
              edge.reset(settled);
            }
          });
      jobs = new ManualJobs(database, clock, jobs(apart ? apart(edge, feeding) : edge));
    }

    private Traffic apart(EdgeServer edge, Routes feeding) {
      feeding.mirror(notifications);
      EdgeLink link = open(new EdgeLink(EdgeId.next(), database, feeding, edge));
      link.join();
      link.follow(notifications);
      RemoteEdges asked = open(new RemoteEdges(database, false, new EdgeLocks(directory)));
      asked.follow(notifications);
      return asked;
    }

    private List<Job> jobs(Traffic traffic) {
      List<Job> all =
          new ArrayList<>(
              deployments.jobs(traffic, DRAIN, releases, settings.keep(), settings.previews()));
      all.addAll(databases.jobs());
      all.addAll(previews.jobs());
      all.add(new PurgeJob(database, new PurgeStore()));
      all.add(
          new DomainJob(
              database, new DomainStore(), dns.client(), ADDRESSES, routes, certificates, clock));
      if (!settings.realBuilds()) {
        all.removeIf(job -> job.kind().equals(BuildJob.KIND));
        all.add(
            new HandBuild(
                database,
                records,
                deployments.moves(),
                releases,
                directory.resolve("by-hand"),
                clock));
      }
      return all;
    }

    /** Where the requests of a host name go. */
    public Optional<Route> route(String label) {
      return Optional.ofNullable(table.get().routes().get(ADDRESSES.hostOfApp(label)));
    }

    /** Completes with where the deployment answers; fails after 20 seconds. */
    public CompletableFuture<Target> wake(DeploymentId id) {
      return deployments.waker().wake(id).toCompletableFuture().orTimeout(20, TimeUnit.SECONDS);
    }

    public DeploymentService service() {
      return deployments.service();
    }
  }

  private static Routes routes(Database database) {
    return new Routes(database, new RouteStore(ADDRESSES, KEEP_ASSETS));
  }

  private <T extends AutoCloseable> T open(T part) {
    open.push(part);
    return part;
  }

  /** A further server over the same store. */
  public Worker worker(String name) {
    Worker worker = new Worker(name);
    workers.add(worker);
    return worker;
  }

  public AccountId addAccount() {
    AccountId id = AccountId.next();
    database.useTransaction(
        tx -> tx.execute("INSERT INTO account VALUES (?, 'free', ?)", id.value(), clock.instant()));
    return id;
  }

  /** A project with the variable {@code GREETING=hello}, never deployed. */
  public Project project(String name) {
    Project project =
        Project.create(
            account,
            name,
            Label.of(name),
            host.kind(),
            Optional.of(new RepoName("acme/" + name)),
            Optional.empty(),
            REGION,
            dev.slipway.project.Settings.of("main", INSTANCE_TYPE),
            clock.instant());
    EnvVars env = new EnvVars(Map.of("GREETING", "hello"));
    database.useTransaction(tx -> records.projects().insert(tx, project, env));
    return project;
  }

  /** From now on its builds make sites. */
  public void becomesSite(Project project) {
    database.useTransaction(tx ->
        tx.execute(
            "UPDATE project SET framework = ? WHERE id = ?", HandBuild.SITE, project.id().value()));
  }

  public ProjectStore projects() {
    return records.projects();
  }

  /** What the project is now. */
  public Project read(Project project) {
    return database.read(tx -> records.projects().find(tx, project.id())).orElseThrow();
  }

  /** What the deployment is now. */
  public Deployment read(Deployment deployment) {
    return read(deployment.id());
  }

  public Deployment read(DeploymentId id) {
    return database.read(tx -> records.deployments().find(tx, id)).orElseThrow();
  }

  /** A deployment that is queued. */
  public Deployment trigger(Project project) {
    return trigger(project, EnvVars.NONE);
  }

  public Deployment trigger(Project project, EnvVars overrides) {
    clock.advance(Duration.ofSeconds(1));
    return main.service().trigger(account, project.id(), Wanted.LATEST, overrides, Trigger.API);
  }

  /** A deployment whose release is made, about to be started. */
  public Deployment built(Project project) {
    Deployment deployment = trigger(project);
    main.jobs.run(BuildJob.KIND, deployment.id().value());
    return read(deployment);
  }

  /** A deployment, and everything that follows from it. */
  public Deployment deploy(Project project) {
    Deployment deployment = trigger(project);
    main.jobs.runDue();
    return read(deployment);
  }

  public DeploymentService.RollbackStarted rollBack(Deployment target) {
    clock.advance(Duration.ofSeconds(1));
    return main.service().rollback(account, target.id());
  }

  /** A rollback, and everything that follows from it. */
  public Deployment rolledBackTo(Deployment target) {
    Deployment rollback = rollBack(target).deployment();
    main.jobs.runDue();
    return read(rollback);
  }

  /** The whole log of a deployment or migration. */
  public List<LogEntry> log(String logId) {
    return logs.read(logId, 0, 10_000).stream().map(StoredEntry::entry).toList();
  }

  public LogEntry lastLine(Deployment deployment) {
    return log(deployment.logId()).getLast();
  }

  public int count(String table) {
    return database.read(
        tx -> tx.createQuery("SELECT count(*) FROM " + table).mapTo(Integer.class).one());
  }

  /**
   * How many connections to the store wait for a lock that another one holds. Asked on a connection
   * of its own: within one transaction PostgreSQL shows the sessions as they were at the first
   * look.
   */
  public int waitingForLocks() {
    return database.readCommitted(tx ->
        tx.createQuery(
                """
                SELECT count(*) FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)
            .mapTo(Integer.class)
            .one());
  }

  @Override
  public void close() {
    for (Worker worker : workers) {
      worker.deployments.upkeep().close();
      worker.runtime.close();
    }
    closeParts();
    vertx.close().toCompletionStage().toCompletableFuture().join();
    dns.close();
    notifications.close();
    database.close();
    Trees.delete(directory);
  }

  private void closeParts() {
    try {
      while (!open.isEmpty()) {
        open.pop().close();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private BuildPipeline pipeline() {
    return new BuildPipeline(
        directory,
        Engine.SANDBOX,
        releases,
        new Frameworks(),
        new BuildConfig(Duration.ofMinutes(1), new Limits(1024, 1, 512), 1 << 30, 1 << 20, 1 << 30),
        operator,
        toolbox);
  }

  private Vault openVault() {
    try {
      return Vault.open(directory.resolve("master.json"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Open to the accounts of builds. */
  private static Path makeDirectory() {
    try {
      Path directory = Files.createTempDirectory("plane-test-");
      return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Finding out what the host allows takes a second: once for all. */
  private static final class Engine {
    private static final Sandbox SANDBOX = strongest();

    private static Sandbox strongest() {
      Path directory = makeDirectory();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> Trees.delete(directory)));
      return Sandbox.strongest(directory);
    }
  }
}
