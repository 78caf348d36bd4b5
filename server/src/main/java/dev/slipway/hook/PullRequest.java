package dev.slipway.hook;

import dev.slipway.source.RepoName;
import java.net.URI;
import java.util.Optional;

/**
 * A pull request, or merge request, of a project's repository, as its git host told us. Its texts
 * come from whoever opened it.
 *
 * @param number by which people know it in its repository
 * @param title cut where it is longer than any host allows
 * @param headRepo where its commits are; absent where that repository is gone, as it may be of one
 *     that is closed, and of no other
 * @param headSha the newest of its commits, 40 hex digits
 * @param baseBranch which it shall go into
 * @param fork whether its commits are in another repository than the project's
 * @param author the name of the account that opened it
 * @param webUrl its page at the host; {@code http} or {@code https}
 */
public record PullRequest(
    int number,
    String title,
    Action action,
    Optional<RepoName> headRepo,
    String headBranch,
    String headSha,
    String baseBranch,
    boolean fork,
    String author,
    URI webUrl) {
  private static final int MAX_TEXT = 255;

  /** What happened to it. */
  public enum Action {
    /** For the first time, or again. */
    OPENED,
    /** It has other commits than before. */
    UPDATED,
    /** Merged or not. */
    CLOSED
  }

  public PullRequest {
    title = cut(title);
    author = cut(author);
    if (headRepo.isEmpty() && action != Action.CLOSED) {
      throw new IllegalArgumentException("an open pull request has a repository");
    }
  }

  private static String cut(String text) {
    return text.codePointCount(0, text.length()) <= MAX_TEXT
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MAX_TEXT));
  }
}
