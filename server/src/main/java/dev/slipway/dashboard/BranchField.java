package dev.slipway.dashboard;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where a branch is chosen, or written where they are not known.
 *
 * @param branches to choose from; empty where one is written
 * @param value that is chosen, or was written
 * @param error why they are not known; empty where nobody asked
 */
public record BranchField(List<Option> branches, String value, String hint, String error) {
  private static final int MAX_BRANCHES = 200;
  private static final List<String> USUAL = List.of("main", "master");
  private static final String HINT = "Deployed now and where a deployment names no commit.";

  public BranchField {
    branches = List.copyOf(branches);
  }

  static BranchField written(String value) {
    return new BranchField(List.of(), value.isEmpty() ? USUAL.getFirst() : value, HINT, "");
  }

  static BranchField unknown(String value, String why) {
    return new BranchField(List.of(), written(value).value(), HINT, why);
  }

  /**
   * @param wanted is chosen where it is one of them
   */
  static BranchField of(List<String> names, String wanted) {
    if (names.isEmpty()) {
      return unknown(wanted, "The repository has no branches yet. Push a commit first.");
    }
    if (names.size() > MAX_BRANCHES) {
      return new BranchField(
          List.of(),
          written(wanted).value(),
          "The repository has %s branches. Write the name of one."
              .formatted(Shown.number(names.size())),
          "");
    }
    if (!names.contains(wanted) && !wanted.isEmpty() && !USUAL.contains(wanted)) {
      return unknown(wanted, "The repository has no branch of that name.");
    }
    String chosen =
        Stream.concat(Stream.of(wanted), USUAL.stream())
            .filter(names::contains)
            .findFirst()
            .orElse(names.getFirst());
    return new BranchField(names.stream().map(it -> new Option(it, it)).toList(), chosen, HINT, "");
  }
}
