package dev.slipway.deployment;

import dev.slipway.core.UploadId;
import java.util.Optional;

/**
 * Which code of a project a client asks for; at most one of the two.
 *
 * @param commitSha 7 to 40 hex digits; absent means the head of the branch when the job starts
 * @param upload absent means the archive that the project was given last
 */
public record Wanted(Optional<String> commitSha, Optional<UploadId> upload) {
  public static final Wanted LATEST = new Wanted(Optional.empty(), Optional.empty());
}
