package dev.slipway.deployment;

import dev.slipway.build.BuildPipeline;
import dev.slipway.core.Limits;
import dev.slipway.core.Turns;
import dev.slipway.db.Database;
import dev.slipway.db.Notifications;
import dev.slipway.dbproject.DatabaseListener;
import dev.slipway.dbproject.DatabaseService;
import dev.slipway.edge.Addresses;
import dev.slipway.edge.Routes;
import dev.slipway.edge.Traffic;
import dev.slipway.edge.Waker;
import dev.slipway.instance.Instances;
import dev.slipway.job.Job;
import dev.slipway.release.ReleaseStore;
import dev.slipway.runlog.RunLogs;
import dev.slipway.source.SourceHosts;
import dev.slipway.tool.Toolbox;
import dev.slipway.upload.Uploads;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The parts of this package, put together. */
public final class Deployments {
  /** Jobs that wait for programs: fewer than there are threads for what somebody waits for. */
  private static final int WAITING_JOBS = 24;

  private final Parts parts;
  private final Moves moves;
  private final DeploymentService service;
  private final DeploymentHistory history;
  private final RestartService restarts;
  private final DatabaseListener databaseUsers;
  private final Starter starter;
  private final Upkeep upkeep;
  private final List<Job> jobs;

  /**
   * What deployments need of the other packages.
   *
   * @param instanceTypes by name
   */
  public record Parts(
      Database database,
      Notifications notifications,
      Records records,
      RunLogs logs,
      SourceHosts sources,
      Uploads uploads,
      BuildPipeline pipeline,
      Toolbox toolbox,
      Instances instances,
      Map<String, Limits> instanceTypes,
      Routes routes,
      Addresses addresses,
      DatabaseService databases,
      Clock clock) {}

  public Deployments(Parts parts) {
    this.parts = parts;
    Database database = parts.database();
    Records records = parts.records();
    Clock clock = parts.clock();
    RunningJobs running = new RunningJobs(parts.notifications());
    moves = new Moves(records.deployments(), parts.logs(), clock);
    Attempts attempts = new Attempts(database, records.deployments(), moves, running);
    Variables variables =
        new Variables(records.deployments(), parts.databases(), parts.instances());
    Launcher launcher =
        new Launcher(
            database,
            records,
            variables,
            parts.instances(),
            parts.toolbox(),
            parts.instanceTypes());
    GoLive goLive =
        new GoLive(
            database,
            records,
            variables,
            parts.instances(),
            parts.routes(),
            parts.addresses(),
            moves,
            clock);
    service =
        new DeploymentService(
            database,
            records,
            variables,
            parts.databases(),
            parts.logs(),
            parts.instances(),
            moves,
            parts.uploads(),
            parts.addresses(),
            clock);
    history = new DeploymentHistory(database);
    restarts = new RestartService(database, records, clock);
    DatabaseUseStore uses = new DatabaseUseStore();
    databaseUsers = new DatabaseUsers(records, uses, parts.databases(), parts.logs(), moves);
    Crashes crashes = new Crashes();
    starter =
        new Starter(
            database,
            records,
            launcher,
            variables,
            parts.instances(),
            parts.routes(),
            crashes,
            clock);
    Scaling scaling =
        new Scaling(
            database, records, launcher, variables, parts.instances(), parts.routes(), clock);
    upkeep =
        new Upkeep(
            database,
            records,
            parts.instances(),
            parts.routes(),
            scaling,
            starter,
            crashes,
            new CrashReport(database, records, variables, clock),
            clock);
    Turns turns = new Turns(WAITING_JOBS);
    jobs =
        List.of(
            new BuildJob(
                database,
                records,
                variables,
                attempts,
                parts.sources(),
                parts.uploads(),
                parts.pipeline(),
                parts.logs(),
                moves,
                clock),
            new ActivateJob(
                database,
                records,
                attempts,
                launcher,
                variables,
                parts.instances(),
                goLive,
                parts.logs(),
                turns,
                clock),
            new ScaleJob(database, records, upkeep),
            new RestartJob(
                database,
                records,
                launcher,
                variables,
                parts.instances(),
                parts.routes(),
                turns,
                clock),
            new RenewJob(database, records, uses, parts.databases(), restarts, clock));
  }

  /** Who is told when a deployment moves from state to state. */
  public void tell(DeploymentListener listener) {
    moves.tell(listener);
  }

  Moves moves() {
    return moves;
  }

  /** Who is to be told of what becomes of databases. */
  public DatabaseListener databaseUsers() {
    return databaseUsers;
  }

  public DeploymentService service() {
    return service;
  }

  public DeploymentHistory history() {
    return history;
  }

  public RestartService restarts() {
    return restarts;
  }

  /** Starts what a request asks for. */
  public Waker waker() {
    return starter;
  }

  public Upkeep upkeep() {
    return upkeep;
  }

  /**
   * At the start of the server: ends what builds of a killed one left running, and takes over its
   * instances; returns when routes lead to them.
   */
  public void recover() {
    parts
        .pipeline()
        .recover(
            parts
                .database()
                .read(tx -> parts.records().deployments().inStatus(tx, DeploymentStatus.BUILDING)));
    upkeep.recover();
  }

  /**
   * The durable work.
   *
   * @param traffic at all edges
   * @param drain how long requests of a replaced deployment may go on
   * @param keep how many releases of a project are kept
   */
  public List<Job> jobs(
      Traffic traffic, Duration drain, ReleaseStore releases, int keep, PreviewLimits previews) {
    List<Job> all = new ArrayList<>(jobs);
    Retirement retirement = new Retirement(parts.instances(), parts.routes(), traffic, drain);
    all.add(new RetireJob(parts.instances(), retirement));
    all.add(new DrainJob(parts.instances(), retirement));
    all.add(
        new RemoveJob(
            parts.database(),
            parts.records(),
            parts.instances(),
            releases,
            parts.routes(),
            retirement,
            parts.clock()));
    all.add(
        new SleepJob(
            parts.database(),
            parts.records(),
            parts.instances(),
            traffic,
            parts.routes(),
            previews,
            parts.clock()));
    all.add(
        new IdleJob(
            parts.database(),
            parts.records(),
            parts.instances(),
            parts.routes(),
            traffic,
            parts.clock()));
    all.add(new TrimJob(parts.pipeline()));
    all.add(
        new PruneJob(
            parts.database(),
            parts.records(),
            releases,
            parts.toolbox(),
            parts.routes(),
            keep,
            parts.clock()));
    return all;
  }
}
