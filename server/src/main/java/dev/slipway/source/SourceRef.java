package dev.slipway.source;

import java.util.Optional;

/**
 * What to fetch: a commit of a branch of a repository.
 *
 * @param commitSha 7 to 40 hex digits; absent means the branch's head
 */
public record SourceRef(RepoName repo, String branch, Optional<String> commitSha) {}
