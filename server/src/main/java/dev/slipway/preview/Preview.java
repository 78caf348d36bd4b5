package dev.slipway.preview;

import dev.slipway.core.DeploymentId;
import dev.slipway.core.Failure;
import dev.slipway.core.PreviewId;
import dev.slipway.core.ProjectId;
import dev.slipway.deployment.DeploymentStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * What a pull request looks like when it is deployed: built and served like a project, by a row of
 * its own that nobody sees as one.
 *
 * @param project whose pull request it is
 * @param own the row behind it; absent once that is purged, a while after it was removed
 * @param label the first part of its host name, from its first time live until it is removed
 * @param newest its newest deployment; absent as {@code own} is
 * @param commentId the host's, of the comment that tells of it
 */
public record Preview(
    PreviewId id,
    ProjectId project,
    Optional<ProjectId> own,
    Head head,
    Optional<String> label,
    Optional<Build> newest,
    Optional<String> commentId,
    Instant createdAt,
    Instant updatedAt,
    Optional<Instant> removedAt) {

  /**
   * A deployment of it, with what is known of it so far.
   *
   * @param failure where it failed
   */
  public record Build(
      DeploymentId id,
      String logId,
      DeploymentStatus status,
      Optional<String> commitMessage,
      Optional<String> framework,
      Optional<Failure> failure) {}

  public PreviewStatus status() {
    return removedAt.isPresent()
        ? PreviewStatus.REMOVED
        : newest.map(Build::status).map(PreviewStatus::of).orElse(PreviewStatus.QUEUED);
  }

  public boolean removed() {
    return removedAt.isPresent();
  }

  /** Whether this is what its newest deployment was to be, and that has not failed. */
  boolean has(Head other) {
    return head.commitSha().equals(other.commitSha())
        && head.repo().equals(other.repo())
        && status() != PreviewStatus.FAILED;
  }
}
