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
import java.util.Optional;
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
  static final String SERVER_ID = "postgres:embedded";
  private static final Logger log = LoggerFactory.getLogger(ApplicationsCluster.class);
  private static final String HOST = "127.0.0.1";
  private static final Duration HARDENING = Duration.ofSeconds(10);

  private final PostgresSettings settings;
  private final Object portLock = new Object();
  private Optional<EmbeddedPostgres> running = Optional.empty();
  private boolean closed;

  ApplicationsCluster(PostgresSettings settings) {
    this.settings = settings.forApplications();
  }

  /** Below the data directory of the configuration; nothing is made yet. */
  public static ApplicationsCluster below(Path dataDir) {
    return new ApplicationsCluster(PostgresSettings.ofApplications(dataDir));
  }

  /** Has it come up if there is one, without waiting for that. */
  public void startIfMade() {
    if (exists()) {
      Thread.ofPlatform().daemon().name("databases of applications").start(this::startAhead);
    }
  }

  /** Ends it, whoever started it; applications lose their databases. Nothing starts it again. */
  public synchronized void endEverything() {
    closed = true;
    if (running.isEmpty() && EmbeddedPostgres.running(settings).isPresent()) {
      running = Optional.of(EmbeddedPostgres.start(settings)); // takes it over
    }
    running.ifPresent(EmbeddedPostgres::stop);
    running = Optional.empty();
  }

  /** Leaves it running. */
  @Override
  public synchronized void close() {
    closed = true;
    running.ifPresent(EmbeddedPostgres::leave);
    running = Optional.empty();
  }

  boolean exists() {
    return EmbeddedPostgres.exists(settings);
  }

  DatabaseServer server() {
    return new PostgresServer(SERVER_ID, this::administrator, name -> place(name, Map.of()));
  }

  /** How we log in; starts it where it does not run. */
  synchronized DatabaseLink administrator() {
    if (closed) {
      throw new TransientException("this server is being ended");
    }
    if (running.isEmpty()) {
      running = Optional.of(start());
    }
    return link(running.get().address());
  }

  private EmbeddedPostgres start() {
    var _ = port(); // chosen before the start asks for it, so that nobody else chooses meanwhile
    try {
      EmbeddedPostgres started = EmbeddedPostgres.start(settings);
      try {
        harden(started.address());
        return started;
      } catch (RuntimeException e) {
        started.leave();
        throw e;
      }
    } catch (IllegalStateException e) {
      throw new AppFailure(
          FailureCode.DATABASE_UNREACHABLE,
          "the server for databases cannot be started: " + e.getMessage(),
          e);
    }
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
    try {
      DatabaseLink started = administrator();
      log.info("databases of applications are up: port={}", started.place().port());
    } catch (TransientException e) {
      log.debug("the databases of applications are not needed any more", e);
    } catch (RuntimeException e) {
      log.error("the databases of applications are down", e);
    }
  }
}
