package dev.slipway.deployment;

import dev.slipway.core.UploadId;
import java.util.Optional;

/**
 * Which code of a project a client asks for; at most one of commit and upload.
 *
 * @param commitSha 7 to 40 hex digits; absent means the head of the branch when the job starts
 * @param upload absent means the archive that the project was given last
 * @param rebuild to build it even if a kept release was made from the same
 */
public record Wanted(Optional<String> commitSha, Optional<UploadId> upload, boolean rebuild) {
  public static final Wanted LATEST = new Wanted(Optional.empty(), Optional.empty(), false);
}
