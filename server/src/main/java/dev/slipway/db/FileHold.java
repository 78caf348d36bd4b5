package dev.slipway.db;

/**
 * Keeps the files that rows name while a backup copies them.
 *
 * <p>The backup takes it first and looks at the rows then. Whoever deletes files commits first that
 * no row names them, and asks {@link #isHeld} then: where it is not held, a backup that begins
 * later finds no row that names them either. Where it is, they are deleted another time.
 */
public final class FileHold implements AutoCloseable {
  /** The number after that of {@link SoleServer}. */
  private static final long LOCK = 8_314_327_851L;

  private static final String COULD_LOCK =
      "SELECT pg_try_advisory_xact_lock_shared(%d)".formatted(LOCK);

  private final StoreLock lock;

  private FileHold(StoreLock lock) {
    this.lock = lock;
  }

  /**
   * @throws IllegalStateException with a sentence for the operator where another backup has it
   * @throws dev.slipway.core.TransientException where the store does not answer
   */
  public static FileHold acquire(StoreAddress address) {
    return new FileHold(
        StoreLock.acquire(address, LOCK, "slipway backup of files")
            .orElseThrow(() ->
                new IllegalStateException(
                    "another backup of this server is being written: wait until that is done")));
  }

  /** Not to be called in a transaction. */
  public static boolean isHeld(Database database) {
    return !database.readCommitted(
        handle -> handle.createQuery(COULD_LOCK).mapTo(Boolean.class).one());
  }

  /**
   * After the last file was copied.
   *
   * @throws IllegalStateException where the store went away meanwhile, and the hold with it
   */
  public void requireStillHeld() {
    if (!lock.isHeld()) {
      throw new IllegalStateException(
          "the store went away while files were copied, and some may be missing: try again");
    }
  }

  @Override
  public void close() {
    lock.close();
  }
}
