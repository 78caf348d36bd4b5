package dev.slipway.hook;

import dev.slipway.hook.host.CommitStatus;
import dev.slipway.project.Project;
import java.util.Optional;

/**
 * What a git host is to be told at a moment.
 *
 * @param project whose repository it is about
 * @param sha which the status is about, 40 hex digits
 * @param status absent where it stays what it is
 */
record Words(Project project, String sha, Optional<CommitStatus> status, Optional<Remark> remark) {
  /** Of whose status one is told at a time. */
  String commit() {
    return project.id() + ":" + sha;
  }

  /**
   * A comment below a pull request.
   *
   * @param comment the earlier one that it takes the place of
   * @param text in Markdown
   */
  record Remark(int number, Optional<String> comment, String text) {}
}
