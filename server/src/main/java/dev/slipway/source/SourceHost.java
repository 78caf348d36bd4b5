package dev.slipway.source;

import java.nio.file.Path;
import java.util.List;

/**
 * A git host of the configuration, such as github.com or a folder of bare repositories.
 *
 * <p>Thread-safe. All calls block on the network and may take minutes; they honour interruption.
 * They throw {@link dev.slipway.core.AppFailure} with {@code SOURCE_UNREACHABLE}, {@code
 * SOURCE_NOT_FOUND}, {@code BRANCH_NOT_FOUND} or {@code COMMIT_NOT_FOUND} and a sentence for the
 * user that never carries the host's token.
 */
public interface SourceHost {
  /** The value of the API field {@code source}, for example {@code github}. */
  String kind();

  /** The full commit id, 40 hex digits, that {@code ref} names at this moment. */
  String resolve(SourceRef ref);

  /**
   * Puts the files of exactly this commit into {@code directory}, which must not exist yet. The
   * directory appears complete or not at all. History and {@code .git} are left out.
   *
   * @param ref names the repository and branch; its commit is ignored
   * @param sha what {@link #resolve} answered
   */
  Checkout fetch(SourceRef ref, String sha, Path directory);

  /** The names of the repository's branches, in the order of the alphabet. */
  List<String> branches(RepoName repo);

  /** What {@code ref} names, as a deployment's source. */
  default Source at(SourceRef ref) {
    return new Source() {
      @Override
      public String resolve() {
        return SourceHost.this.resolve(ref);
      }

      @Override
      public Checkout fetch(String sha, Path directory) {
        return SourceHost.this.fetch(ref, sha, directory);
      }
    };
  }
}
