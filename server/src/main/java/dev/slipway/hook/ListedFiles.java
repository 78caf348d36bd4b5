package dev.slipway.hook;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files that the commits of a push changed, as all hosts list them. */
final class ListedFiles {
  private ListedFiles() {}

  /**
   * All of them.
   *
   * @param maxPerCommit a commit with as many may have more that are not listed
   * @return empty where a commit does not list its files, or there is no commit
   */
  static Optional<List<String>> of(List<Payload> commits, int maxPerCommit) {
    List<String> all = new ArrayList<>();
    for (Payload commit : commits) {
      Optional<List<String>> changed = changed(commit);
      if (changed.isEmpty() || changed.get().size() >= maxPerCommit) {
        return Optional.empty();
      }
      all.addAll(changed.get());
    }
    return commits.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  private static Optional<List<String>> changed(Payload commit) {
    List<String> all = new ArrayList<>();
    for (String how : List.of("/added", "/modified", "/removed")) {
      Optional<List<String>> some = commit.texts(how);
      if (some.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(some.get());
    }
    return Optional.of(all);
  }

  /** The message of one of them. */
  static Optional<String> message(List<Payload> commits, String sha) {
    return commits.stream()
        .filter(commit -> commit.text("/id").equals(Optional.of(sha)))
        .flatMap(commit -> Stream.of(commit.text("/message").orElse("")))
        .findFirst();
  }
}
