package dev.slipway.project;

import dev.slipway.core.AccountId;
import dev.slipway.core.DeploymentId;
import dev.slipway.core.ProjectId;
import dev.slipway.core.UploadId;
import dev.slipway.source.RepoName;
import java.time.Instant;
import java.util.Optional;

/**
 * An application that is deployed again and again. Its variables are read apart: they are sealed.
 *
 * <p>A preview of a pull request is built and served as a project is, and has a row of its own for
 * that, which nobody sees as one ({@link #hidden}).
 *
 * @param name unique in its account
 * @param label its part of host names: unique, fixed for life
 * @param source the kind of its git host, or {@link #ZIP}
 * @param repo only of a git host
 * @param latestUpload only of a zip: what is deployed where a deployment names none
 * @param framework what it is: as the user says, else as the live deployment found
 * @param liveDeploymentId the deployment that serves production traffic now
 * @param running how many instances take its requests now
 * @param asleep whether its program is stopped until somebody asks for it
 * @param crashing where what serves it crashes again and again
 * @param restart the one that was asked for last
 * @param deletedAt since when it is there for its history alone
 * @param previewOf whose pull request is deployed; only of the row behind a preview
 */
public record Project(
    ProjectId id,
    AccountId accountId,
    String name,
    String label,
    String source,
    Optional<RepoName> repo,
    Optional<UploadId> latestUpload,
    String region,
    Settings settings,
    Optional<String> framework,
    Optional<DeploymentId> liveDeploymentId,
    int running,
    boolean asleep,
    Optional<Crashing> crashing,
    Optional<Restart> restart,
    Instant createdAt,
    Instant updatedAt,
    Optional<Instant> deletedAt,
    Optional<ProjectId> previewOf) {
  /** The source that is no git host. */
  public static final String ZIP = "zip";

  /** A new project, not yet deployed. */
  public static Project create(
      AccountId account,
      String name,
      String label,
      String source,
      Optional<RepoName> repo,
      Optional<UploadId> latestUpload,
      String region,
      Settings settings,
      Instant now) {
    return new Project(
        ProjectId.next(),
        account,
        name,
        label,
        source,
        repo,
        latestUpload,
        region,
        settings,
        settings.overrides().framework(),
        Optional.empty(),
        0,
        false,
        Optional.empty(),
        Optional.empty(),
        now,
        now,
        Optional.empty(),
        Optional.empty());
  }

  /**
   * The row behind a new preview.
   *
   * @param parent whose pull request it is
   * @param repo of the pull request's head
   */
  public static Project behindPreview(
      Project parent, String name, String label, RepoName repo, Settings settings, Instant now) {
    return new Project(
        ProjectId.next(),
        parent.accountId(),
        name,
        label,
        parent.source(),
        Optional.of(repo),
        Optional.empty(),
        parent.region(),
        settings,
        settings.overrides().framework(),
        Optional.empty(),
        0,
        false,
        Optional.empty(),
        Optional.empty(),
        now,
        now,
        Optional.empty(),
        Optional.of(parent.id()));
  }

  public boolean deleted() {
    return deletedAt.isPresent();
  }

  /** Whether it is the row behind a preview, and no project to anybody. */
  public boolean hidden() {
    return previewOf.isPresent();
  }
}
