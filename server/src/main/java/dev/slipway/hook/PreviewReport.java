package dev.slipway.hook;

import dev.slipway.core.Failure;
import dev.slipway.core.ProjectId;
import java.net.URI;
import java.util.Optional;

/**
 * How a preview of a pull request is doing, for those who look at the pull request.
 *
 * @param project whose pull request it is: the one that its owner knows
 * @param number of the pull request
 * @param sha the commit that is built or served, 40 hex digits
 * @param url where it answers: from its first time live until it is removed
 * @param log a page or document with the log of its newest build
 * @param failure of its newest build
 * @param commentId of the comment at the host that tells of it, once there is one
 */
public record PreviewReport(
    ProjectId project,
    int number,
    String sha,
    Status status,
    Optional<URI> url,
    URI log,
    Optional<Failure> failure,
    Optional<String> commentId) {

  public enum Status {
    QUEUED,
    BUILDING,
    DEPLOYING,
    LIVE,
    FAILED,
    REMOVED
  }
}
