package dev.slipway.deployment;

import dev.slipway.core.AccountId;
import dev.slipway.core.DatabaseId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.ProjectId;
import dev.slipway.core.ReleaseId;
import dev.slipway.core.UploadId;
import dev.slipway.source.Commit;
import dev.slipway.upload.Upload;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The publication of a commit of a project, or of an earlier release of it (a rollback). Its
 * variables are read apart: they are sealed.
 *
 * @param logId its log; the first deployment of a migration shares the migration's
 * @param code what is deployed
 * @param framework once known
 * @param previewLabel the first part of the host name that is this very deployment's own
 * @param database whose variables its build and its program get
 * @param releaseId once built
 * @param attempt how often a job began to work on it; every write of that job names it
 * @param failure only of one that failed
 */
public record Deployment(
    DeploymentId id,
    AccountId accountId,
    ProjectId projectId,
    String logId,
    Origin origin,
    DeploymentStatus status,
    Code code,
    Optional<String> framework,
    String region,
    String instanceType,
    String previewLabel,
    Optional<DatabaseId> database,
    Optional<ReleaseId> releaseId,
    int attempt,
    Times times,
    Optional<Failure> failure) {

  /**
   * @param source the deployment that built the release: itself, unless this is a rollback
   * @param rollbackTo the deployment that a rollback goes back to
   */
  public record Origin(Trigger trigger, DeploymentId source, Optional<DeploymentId> rollbackTo) {}

  /**
   * @param branch of a git host
   * @param requestedSha 7 to 40 hex digits; absent means the branch's head when the job starts
   * @param upload the archive, where it comes from no git host
   * @param commit once resolved; of an archive from the beginning
   * @param rebuild whether a kept release that was made from the same must not be used again
   */
  public record Code(
      Optional<String> branch,
      Optional<String> requestedSha,
      Optional<UploadId> upload,
      Optional<Commit> commit,
      boolean rebuild) {
    static Code ofBranch(String branch, Optional<String> requestedSha, boolean rebuild) {
      return new Code(
          Optional.of(branch), requestedSha, Optional.empty(), Optional.empty(), rebuild);
    }

    static Code of(Upload upload, boolean rebuild) {
      return new Code(
          Optional.empty(),
          Optional.empty(),
          Optional.of(upload.id()),
          Optional.of(upload.commit()),
          rebuild);
    }
  }

  /**
   * @param building when building began
   * @param built when its release was kept
   * @param live when it went into production
   * @param ended when it failed or was rolled back
   */
  public record Times(
      Instant created,
      Optional<Instant> building,
      Optional<Instant> built,
      Optional<Instant> live,
      Optional<Instant> ended) {
    static Times createdAt(Instant now) {
      return new Times(now, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  public boolean isRollback() {
    return origin.trigger() == Trigger.ROLLBACK;
  }

  /** Whether it is of a preview: then nobody sees it as a deployment. */
  public boolean hidden() {
    return origin.trigger() == Trigger.PULL_REQUEST;
  }

  /** How long building took; absent until it has ended, nothing for a rollback. */
  public Optional<Duration> buildDuration() {
    if (isRollback()) {
      return Optional.of(Duration.ZERO);
    }
    Optional<Instant> end =
        times
            .built()
            .or(() -> status == DeploymentStatus.FAILED ? times.ended() : Optional.empty());
    return times.building().flatMap(start -> end.map(stop -> Duration.between(start, stop)));
  }
}
