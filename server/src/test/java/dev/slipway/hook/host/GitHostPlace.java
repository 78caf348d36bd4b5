package dev.slipway.hook.host;

import dev.slipway.core.Secret;
import dev.slipway.source.RepoName;
import java.util.List;

/** A git host with a repository that has a commit and a pull request, as its users see it. */
interface GitHostPlace extends AutoCloseable {
  GitHostApi api(Secret token);

  /** Which may write to the repository. */
  Secret token();

  RepoName repo();

  String commit();

  int pullRequest();

  /** The statuses of the commit that count: the latest of each context. */
  List<Shown> statuses();

  /** The comments below the pull request, the oldest first. */
  List<Said> comments();

  void delete(Said comment);

  /**
   * @param state in our words
   */
  record Shown(CommitStatus.State state, String context, String description, String target) {}

  record Said(String id, String text) {}

  @Override
  void close();
}
