package dev.slipway.deployment;

import dev.slipway.core.ErrorCode;
import dev.slipway.core.RequestException;
import dev.slipway.core.UploadId;
import dev.slipway.project.Project;
import dev.slipway.project.ProjectStore;
import dev.slipway.upload.Uploads;
import java.time.Clock;
import org.jdbi.v3.core.Handle;

/** What a deployment is made of: a commit of the project's repository, or an archive. */
final class DeployedCode {
  private final ProjectStore projects;
  private final Uploads uploads;
  private final Clock clock;

  DeployedCode(ProjectStore projects, Uploads uploads, Clock clock) {
    this.projects = projects;
    this.uploads = uploads;
    this.clock = clock;
  }

  /**
   * The code that is wanted. An archive is kept from now on, and is the project's latest.
   *
   * @throws RequestException {@code INVALID_REQUEST} where the project has none of the kind; {@code
   *     NOT_FOUND}, {@code FORBIDDEN} for the archive
   */
  Deployment.Code choose(Handle tx, Project project, Wanted wanted) {
    return project.repo().isPresent()
        ? ofRepository(project, wanted)
        : ofArchive(tx, project, wanted);
  }

  private static Deployment.Code ofRepository(Project project, Wanted wanted) {
    if (wanted.upload().isPresent()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "upload_id: the project comes from the repository %s; migrate the archive to a project of its own."
              .formatted(project.repo().orElseThrow()));
    }
    return Deployment.Code.ofBranch(
        project.settings().branch().orElseThrow(), wanted.commitSha(), wanted.rebuild());
  }

  private Deployment.Code ofArchive(Handle tx, Project project, Wanted wanted) {
    if (wanted.commitSha().isPresent()) {
      throw new RequestException(
          ErrorCode.INVALID_REQUEST,
          "commit_sha: the project comes from archives and has no commits; give the upload_id of one, or none for the latest.");
    }
    UploadId id = wanted.upload().or(project::latestUpload).orElseThrow();
    Deployment.Code code =
        Deployment.Code.of(uploads.use(tx, project.accountId(), id), wanted.rebuild());
    if (wanted.upload().isPresent()) {
      projects.setLatestUpload(tx, project.id(), id, clock.instant());
    }
    return code;
  }
}
