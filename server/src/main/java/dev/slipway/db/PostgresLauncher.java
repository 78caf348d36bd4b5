package dev.slipway.db;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings a cluster up: takes over a postmaster that still runs, or starts one. */
final class PostgresLauncher {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresLauncher.class);

  /** Recovery after a crash replays 512 MiB of log at most. */
  private static final Duration READY_WITHIN = Duration.ofMinutes(4);

  private static final Duration LEFTOVERS_MAY_TAKE = Duration.ofSeconds(2);

  private final PostgresSettings settings;
  private final PostgresCluster cluster;
  private final PostgresProcesses processes;

  PostgresLauncher(PostgresSettings settings) {
    this.settings = settings;
    this.cluster = new PostgresCluster(settings);
    this.processes = new PostgresProcesses(cluster.data());
  }

  /** A postmaster that accepts connections. */
  record Running(ProcessHandle process, StoreAddress address, int port) {}

  /** Where it can be reached, should somebody have started it. */
  Optional<StoreAddress> running() {
    return processes
        .postmaster()
        .filter(postmaster -> postmaster.says().isReady())
        .map(postmaster -> cluster.address(postmaster.says().port()));
  }

  boolean isAlive() {
    return processes.postmaster().isPresent();
  }

  /** The postmaster that an earlier server left, else a new one on the cluster's port. */
  Running adoptOrStart() {
    Optional<Running> adopted = adopt();
    if (adopted.isPresent()) {
      return adopted.get();
    }
    return start(settings.port());
  }

  /** Whether the process is still a working PostgreSQL of this cluster. */
  boolean isRunning(ProcessHandle process) {
    return processes.isOurs(process);
  }

  /** Keeps its log from growing for ever; to be called often. */
  void boundLog() {
    if (settings.profile().outlivesServer()) {
      new LogFile(settings.home()).bound();
    }
  }

  /** A new postmaster on that port, as a child of the calling thread. */
  Running start(int port) {
    PostgresBinaries binaries = PostgresBinaries.unpackBelow(settings.binaries());
    PostgresAccount account = PostgresAccount.choose(binaries, settings.home());
    processes.endLeftovers(LEFTOVERS_MAY_TAKE);
    processes.forgetDead();
    cluster.prepare(binaries, account);
    PostgresProgram program = new PostgresProgram(binaries, account, settings, port);
    ProcessHandle process = program.handle();
    boolean decided = Pause.until(() -> isReady(process) || !process.isAlive(), READY_WITHIN);
    if (decided && process.isAlive()) {
      LOG.info("PostgreSQL runs: pid={} port={}", process.pid(), port);
      return new Running(process, cluster.address(port), port);
    }
    process.destroyForcibly();
    throw failure(program.lastWords(), port);
  }

  private boolean isReady(ProcessHandle process) {
    return PostmasterPid.read(cluster.data())
        .filter(says -> says.pid() == process.pid() && says.isReady())
        .isPresent();
  }

  private IllegalStateException failure(String lastWords, int port) {
    return new IllegalStateException(
        "PostgreSQL did not start in %s on port %d: %s".formatted(cluster.data(), port, lastWords));
  }

  // One that is starting or stopping is waited for: the first becomes ready, the second ends.
  private Optional<Running> adopt() {
    boolean decided =
        Pause.until(
            () -> processes.postmaster().map(this::acceptsConnections).orElse(true), READY_WITHIN);
    Optional<PostgresProcesses.Postmaster> left = processes.postmaster();
    if (!decided) {
      throw new IllegalStateException(
          "a PostgreSQL in %s neither answers nor ends: end it (pid %s) and start again"
              .formatted(cluster.data(), left.map(it -> it.says().pid()).orElse(0L)));
    }
    left.ifPresent(it ->
        LOG.info("PostgreSQL is taken over: pid={} port={}", it.says().pid(), it.says().port()));
    return left.map(
        it -> new Running(it.process(), cluster.address(it.says().port()), it.says().port()));
  }

  private boolean acceptsConnections(PostgresProcesses.Postmaster postmaster) {
    if (!postmaster.says().isReady()) {
      return false;
    }
    StoreAddress address = cluster.address(postmaster.says().port());
    try (Connection connection =
        DriverManager.getConnection(
            address.jdbcUrl(), address.connectionProperties("slipway-adopt"))) {
      return connection.isValid(1);
    } catch (SQLException e) {
      if (SqlState.of(e).isLoginRefused()) {
        throw new IllegalStateException(
            "the PostgreSQL in %s refuses the password in %s"
                .formatted(cluster.data(), settings.passwordFile()),
            e);
      }
      return false; // it is just ending
    }
  }
}
