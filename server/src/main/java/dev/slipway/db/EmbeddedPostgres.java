package dev.slipway.db;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A real PostgreSQL that belongs to this server: unpacked and initialised at the first start, on a
 * port of 127.0.0.1, started again when it dies. The store ends with the server; the cluster of the
 * applications goes on until it is told to end.
 *
 * <p>Whatever was killed and when, the next start goes on: half-made files are thrown away, a
 * postmaster that still runs is taken over, one that is ending is waited for. A postmaster that was
 * taken over writes no lines to our log and does not end with us by itself; {@link #stop} ends it.
 *
 * <p>Threads: all methods from any thread.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private final PostgresSupervisor supervisor;
  private final StoreAddress address;

  private EmbeddedPostgres(PostgresSupervisor supervisor, StoreAddress address) {
    this.supervisor = supervisor;
    this.address = address;
  }

  /**
   * Returns when it accepts connections: 3 seconds at the first start, a few tenths later.
   *
   * @throws IllegalStateException with what to do about it, when another server uses the directory,
   *     no account can run it, or it does not start
   */
  public static EmbeddedPostgres start(PostgresSettings settings) {
    makeHome(settings);
    Folders.createIfAbsent(settings.binaries());
    DirectoryLock lock = DirectoryLock.acquire(settings.home());
    PostgresSupervisor supervisor =
        new PostgresSupervisor(
            new PostgresLauncher(settings), lock, settings.profile().outlivesServer());
    return new EmbeddedPostgres(supervisor, supervisor.start());
  }

  /** Where a running server's PostgreSQL answers, for commands beside it; empty: it is not up. */
  public static Optional<StoreAddress> running(PostgresSettings settings) {
    return new PostgresLauncher(settings).running();
  }

  /** Whether its postmaster lives; it may still be starting, or ending. */
  public static boolean isAlive(PostgresSettings settings) {
    return new PostgresLauncher(settings).isAlive();
  }

  /** The port of a cluster of applications, whether it runs or not; chosen by the first call. */
  public static int keptPort(PostgresSettings settings) {
    makeHome(settings);
    return settings.keptPort().get();
  }

  /** Whether there is a cluster in that place. */
  public static boolean exists(PostgresSettings settings) {
    return Files.isDirectory(settings.cluster());
  }

  /** The administrative database; does not change while this lives. */
  public StoreAddress address() {
    return address;
  }

  /** Ends all sessions, writes a checkpoint, and returns when the process has ended. */
  public void stop() {
    supervisor.stop();
  }

  /** Lets it run, for the next server to take over. */
  public void leave() {
    supervisor.leave();
  }

  @Override
  public void close() {
    stop();
  }

  // Traversable, since another account runs it; not listable, since nobody has business here.
  private static void makeHome(PostgresSettings settings) {
    if (settings.profile().outlivesServer()) {
      Path parent = Objects.requireNonNull(settings.home().getParent(), "a folder below another");
      if (!Files.isDirectory(parent)) {
        Folders.create(parent, "rwx--x--x");
      }
    }
    Folders.create(settings.home(), "rwx--x--x");
  }
}
