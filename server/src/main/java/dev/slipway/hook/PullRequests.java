package dev.slipway.hook;

import dev.slipway.project.Project;
import org.jdbi.v3.core.Handle;

/** Who makes previews of pull requests. */
public interface PullRequests {
  /**
   * Does what a pull request asks for, or says why not, in the transaction that notes the message.
   * The host sends messages in any order, and may send the same state of a pull request more than
   * once.
   *
   * @param project whose repository it is made to; its row is locked
   */
  Reaction take(Handle tx, Project project, PullRequest pullRequest);
}
