package dev.slipway.database.postgres;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.core.TransientException;
import dev.slipway.database.DatabaseLink;
import dev.slipway.database.DatabaseLogin;
import dev.slipway.database.DatabasePlace;
import dev.slipway.database.DatabaseServer;
import dev.slipway.database.DatabaseType;
import dev.slipway.db.EmbeddedPostgres;
import dev.slipway.db.PostgresSettings;
import dev.slipway.db.StoreAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded PostgreSQL with the databases of applications. It is made when the first database
 * is, apart from the store, and outlives the server as the applications do: the next server takes
 * it over. While a server runs it is started again when it dies.
 *
 * <p>Its address never changes. Threads: all methods from any thread; one that needs it waits while
 * another starts it.
 */
public final class ApplicationsCluster implements AutoCloseable {
  /** What rows of databases call it. */
  public static final String SERVER_ID = "postgres:embedded";

  private static final Logger log = LoggerFactory.getLogger(ApplicationsCluster.class);
  private static final String HOST = "127.0.0.1";
  private static final Duration HARDENING = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final PostgresSettings settings;
  private final Object portLock = new Object();
  private final ClusterStart start;

  ApplicationsCluster(PostgresSettings settings) {
    this.settings = settings.forApplications();
    this.start = new ClusterStart(this.settings, this::harden);
  }

  /** Below the data directory of the configuration; nothing is made yet. */
  public static ApplicationsCluster below(Path dataDir) {
    return new ApplicationsCluster(PostgresSettings.ofApplications(dataDir));
  }

  /** Has it come up if there is one, without waiting for that; tries until it does. */
  public void startIfMade() {
    if (exists()) {
      Thread.ofPlatform().daemon().name("databases of applications").start(this::startAhead);
    }
  }

  /** Ends it, whoever started it; applications lose their databases. Nothing starts it again. */
  public void endEverything() {
    start.stop();
  }

  /** Leaves it running, or starting. */
  @Override
  public void close() {
    start.leave();
  }

  boolean exists() {
    return EmbeddedPostgres.exists(settings);
  }

  DatabaseServer server() {
    return new PostgresServer(
        SERVER_ID, this::administrator, this::administratorWhereUp, name -> place(name, Map.of()));
  }

  /** How we log in; starts it where it does not run. */
  DatabaseLink administrator() {
    var _ = port(); // chosen before the start asks for it, so that nobody else chooses meanwhile
    try {
      return link(start.begin().get());
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransientException("interrupted while the server for databases started", e);
    }
  }

  private DatabaseLink administratorWhereUp() {
    return start
        .address()
        .map(this::link)
        .orElseThrow(() ->
            new AppFailure(
                FailureCode.DATABASE_UNREACHABLE, "the server for databases is not up yet"));
  }

  private static RuntimeException failure(ExecutionException e) {
    return switch (e.getCause()) {
      case IllegalStateException cause ->
          new AppFailure(
              FailureCode.DATABASE_UNREACHABLE,
              "the server for databases cannot be started: " + cause.getMessage(),
              cause);
      case RuntimeException cause -> cause;
      case null, default -> new IllegalStateException("starting the server failed", e);
    };
  }

  private void harden(StoreAddress address) {
    try (SessionStore session = SessionStore.open(link(address), HARDENING, HARDENING, Map.of())) {
      new AdminStore(session).closeOwnDatabases();
    }
  }

  private DatabaseLink link(StoreAddress address) {
    return new DatabaseLink(
        place("postgres", Map.of(DriverProperties.REQUIRE_AUTH, "scram-sha-256")),
        new DatabaseLogin(address.user(), address.password()));
  }

  private DatabasePlace place(String name, Map<String, String> parameters) {
    return new DatabasePlace(DatabaseType.POSTGRES, HOST, port(), name, parameters);
  }

  // Asked in transactions of the store: it must not wait for a start.
  private int port() {
    synchronized (portLock) {
      return EmbeddedPostgres.keptPort(settings);
    }
  }

  private void startAhead() {
    Duration pause = FIRST_PAUSE;
    while (!comesUp() && !start.isClosedWithin(pause)) {
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
    }
  }

  private boolean comesUp() {
    try {
      DatabaseLink started = administrator();
      log.info("databases of applications are up: port={}", started.place().port());
      return true;
    } catch (TransientException e) {
      log.debug("the databases of applications are not needed any more", e);
    } catch (RuntimeException e) {
      log.error("the databases of applications are down; their start is tried again", e);
    }
    return false;
  }
}
