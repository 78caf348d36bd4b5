package dev.slipway.source;

import java.util.Optional;

/**
 * What to fetch: a commit of a branch of a repository.
 *
 * @param commitSha 7 to 40 hex digits; absent means the branch's head
 * @param ofStrangers whether who wrote it may read no more than this repository: the host's token
 *     is not used for the submodules that it names
 */
public record SourceRef(
    RepoName repo, String branch, Optional<String> commitSha, boolean ofStrangers) {
  /** What the account has written itself. */
  public SourceRef(RepoName repo, String branch, Optional<String> commitSha) {
    this(repo, branch, commitSha, false);
  }
}
