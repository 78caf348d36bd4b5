package dev.slipway.upload;

import dev.slipway.core.AccountId;
import dev.slipway.core.UploadId;
import dev.slipway.source.Commit;
import java.time.Instant;

/**
 * An archive that was uploaded. Its bytes never change.
 *
 * @param sha256 64 hex digits, lower case
 * @param name what the client called the file; {@code upload} where it did not
 * @param keptUntil when it goes, unless something needs it then
 */
public record Upload(
    UploadId id,
    AccountId accountId,
    long sizeBytes,
    String sha256,
    String name,
    Instant createdAt,
    Instant keptUntil) {

  /** As what it is deployed. */
  public Commit commit() {
    return new Commit(sha256, name);
  }
}
