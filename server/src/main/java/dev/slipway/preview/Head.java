package dev.slipway.preview;

import dev.slipway.hook.PullRequest;
import dev.slipway.source.RepoName;
import java.net.URI;

/**
 * A pull request that is open, and the newest of its commits.
 *
 * @param repo where its commits are
 * @param baseBranch which it shall go into
 * @param fork whether {@code repo} is another repository than the project's
 */
public record Head(
    int number,
    String title,
    String author,
    RepoName repo,
    String branch,
    String commitSha,
    String baseBranch,
    boolean fork,
    URI webUrl) {
  static Head of(PullRequest open) {
    return new Head(
        open.number(),
        oneLine(open.title()),
        oneLine(open.author()),
        open.headRepo().orElseThrow(),
        open.headBranch(),
        open.headSha(),
        open.baseBranch(),
        open.fork(),
        open.webUrl());
  }

  /** Anybody may have written it; the store takes no NUL. */
  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", " ").strip();
  }
}
