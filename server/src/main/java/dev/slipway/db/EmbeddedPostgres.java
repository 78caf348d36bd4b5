package dev.slipway.db;

import java.util.Optional;

/**
 * A real PostgreSQL that belongs to this server: unpacked and initialised at the first start, on a
 * port of 127.0.0.1, started again when it dies, ended with the server.
 *
 * <p>Whatever was killed and when, the next start goes on: half-made files are thrown away, a
 * postmaster that still runs is taken over, one that is ending is waited for. A postmaster that was
 * taken over writes no lines to our log and does not end with us by itself; {@link #stop} ends it.
 *
 * <p>Threads: all methods from any thread.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private final DirectoryLock lock;
  private final PostgresSupervisor supervisor;
  private final StoreAddress address;

  private EmbeddedPostgres(
      DirectoryLock lock, PostgresSupervisor supervisor, StoreAddress address) {
    this.lock = lock;
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
    // Traversable, since another account runs it; not listable, since nobody has business here.
    Folders.create(settings.home(), "rwx--x--x");
    Folders.createIfAbsent(settings.binaries());
    DirectoryLock lock = DirectoryLock.acquire(settings.home());
    try {
      PostgresSupervisor supervisor = new PostgresSupervisor(new PostgresLauncher(settings));
      return new EmbeddedPostgres(lock, supervisor, supervisor.start());
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Where a running server's PostgreSQL answers, for commands beside it; empty: it is not up. */
  public static Optional<StoreAddress> running(PostgresSettings settings) {
    return new PostgresLauncher(settings).running();
  }

  /** The administrative database; does not change while this lives. */
  public StoreAddress address() {
    return address;
  }

  /** Ends all sessions, writes a checkpoint, and returns when the process has ended. */
  public void stop() {
    supervisor.stop();
    lock.close();
  }

  @Override
  public void close() {
    stop();
  }
}
