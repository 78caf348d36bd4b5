package dev.slipway.hook;

import dev.slipway.source.BranchName;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A push as its git host told us.
 *
 * @param repo as the host writes it
 * @param ref for example {@code refs/heads/main}
 * @param before the commit that the ref named, only zeros where there was no such ref
 * @param after the commit that it names now, only zeros where it is gone
 * @param message of that commit; empty where the host does not tell
 * @param paths of all files that it changed; absent where the host does not list them all
 */
record Push(
    String repo,
    String ref,
    String before,
    String after,
    String message,
    Optional<List<String>> paths) {
  private static final String BRANCHES = "refs/heads/";
  private static final String TAGS = "refs/tags/";
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");
  private static final Pattern NONE = Pattern.compile("0+");

  /** The branch; absent for a tag, and for what no branch is called. */
  Optional<String> branch() {
    return Optional.of(ref)
        .filter(it -> it.startsWith(BRANCHES))
        .map(it -> it.substring(BRANCHES.length()))
        .filter(BranchName::isValid);
  }

  boolean isTag() {
    return ref.startsWith(TAGS);
  }

  boolean deleted() {
    return isNone(after);
  }

  /** Whether it names what was pushed as we do. */
  boolean namesCommit() {
    return isCommit(after);
  }

  static boolean isCommit(String sha) {
    return COMMIT.matcher(sha).matches() && !isNone(sha);
  }

  static boolean isNone(String sha) {
    return NONE.matcher(sha).matches();
  }
}
