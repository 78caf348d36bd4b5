package dev.slipway.upload;

import dev.slipway.core.AccountId;
import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.UploadId;
import dev.slipway.db.Database;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What each account's archives take that nothing needs, those on their way in included. One that is
 * being kept counts twice for a moment: better than not at all. Thread-safe.
 */
final class Shares {
  private final Database database;
  private final UploadStore store;
  private final long maxBytes;
  private final Map<UploadId, Share> underway = new ConcurrentHashMap<>();

  /**
   * @param maxBytes of each account
   */
  Shares(Database database, UploadStore store, long maxBytes) {
    this.database = database;
    this.store = store;
    this.maxBytes = maxBytes;
  }

  /** What one archive takes while it comes in. */
  final class Share implements AutoCloseable {
    private final UploadId id;
    private final AccountId account;
    private volatile long bytes;

    private Share(UploadId id, AccountId account) {
      this.id = id;
      this.account = account;
    }

    /**
     * Says how many bytes it has by now, or will have; blocks on the store where that is news.
     *
     * @throws RequestException {@code CONFLICT} where the account has no room for them
     */
    void grow(long reached) {
      if (reached > bytes) {
        bytes = reached;
        requireRoom(account);
      }
    }

    @Override
    public void close() {
      underway.remove(id);
    }
  }

  /**
   * @param announced 0 where that is not known
   */
  Share begin(UploadId id, AccountId account, long announced) {
    Share share = new Share(id, account);
    underway.put(id, share);
    try {
      share.grow(announced);
      return share;
    } catch (RuntimeException e) {
      share.close();
      throw e;
    }
  }

  boolean isUnderway(UploadId id) {
    return underway.containsKey(id);
  }

  private void requireRoom(AccountId account) {
    // First, so that what is kept in between is counted twice.
    long coming =
        underway.values().stream()
            .filter(share -> share.account.equals(account))
            .mapToLong(share -> share.bytes)
            .sum();
    if (coming + database.read(tx -> store.unneededBytes(tx, account)) > maxBytes) {
      throw new RequestException(
          ErrorCode.CONFLICT,
          "With this archive, those of the account that nothing is deployed from would take more than the %,d MiB that limits.unused_uploads_bytes allows. Migrate or deploy them, or wait: one that is not used is deleted 24 hours after it came."
              .formatted(maxBytes >> 20));
    }
  }
}
