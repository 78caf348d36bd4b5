package dev.slipway.db;

/**
 * Keeps a second server off a store. Programs run as processes of one host: a server on another
 * would send visitors to ports of its own.
 */
public final class SoleServer implements AutoCloseable {
  /** Any number that no other program locks: "slipway" in ASCII, shortened. */
  private static final long LOCK = 8_314_327_850L;

  private final StoreLock lock;

  private SoleServer(StoreLock lock) {
    this.lock = lock;
  }

  /**
   * @throws IllegalStateException with a sentence for the operator where another server has it
   * @throws dev.slipway.core.TransientException where the store does not answer
   */
  public static SoleServer acquire(StoreAddress address) {
    return new SoleServer(
        StoreLock.acquire(address, LOCK, "slipway lock")
            .orElseThrow(() ->
                new IllegalStateException(
                    "another server uses the store at %s: stop it first; one store is for one server"
                        .formatted(address.jdbcUrl()))));
  }

  @Override
  public void close() {
    lock.close();
  }
}
