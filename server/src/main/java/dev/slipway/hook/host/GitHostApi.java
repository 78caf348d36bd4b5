package dev.slipway.hook.host;

import dev.slipway.source.RepoName;
import java.util.Optional;

/**
 * Tells a git host something, with a token of the operator's. Thread-safe; all calls block on the
 * network, for half a minute at most.
 *
 * <p>They throw {@link dev.slipway.core.TransientException} where the host does not answer or has
 * too much to do, and {@link RefusedException} where asking again would be of no use.
 */
public interface GitHostApi {
  /**
   * Says how it is with a commit.
   *
   * @param sha 40 hex digits
   */
  void status(RepoName repo, String sha, CommitStatus status) throws InterruptedException;

  /**
   * Says something below a pull request: in a comment that was made earlier, if that is still
   * there. One that was made although the host did not say so is found by its mark.
   *
   * @param number of the pull request
   * @param earlier what this answered for the earlier comment
   * @return by which the comment is found again
   */
  String comment(RepoName repo, int number, Optional<String> earlier, Comment comment)
      throws InterruptedException;
}
