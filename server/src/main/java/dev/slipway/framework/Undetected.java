package dev.slipway.framework;

import dev.slipway.framework.node.OtherKinds;
import dev.slipway.framework.python.OtherPython;
import dev.slipway.source.Checkout;
import java.util.List;
import java.util.Optional;

/**
 * Explains why no framework was found, and where an application may be instead.
 *
 * @param directory that was looked at, empty for the root
 */
record Undetected(Checkout checkout, String directory, List<Candidate> candidates) {
  private static final int MAX_NAMED = 8;

  String sentence() {
    Optional<OtherKinds.Kind> kind = OtherKinds.of(Candidates.checkout(checkout, directory));
    String found =
        kind.map(OtherKinds.Kind::found)
            .or(() ->
                candidates.isEmpty() ? OtherPython.found(checkout, directory) : Optional.empty())
            .orElseGet(this::nothing);
    if (!candidates.isEmpty()) {
      return "No framework was recognised: %s. There are applications in: %s. Set root_directory to the one that you mean."
          .formatted(found, named());
    }
    return "No framework was recognised: %s. %s"
        .formatted(
            found,
            kind.map(OtherKinds.Kind::advice)
                .orElse(
                    "An application has a package.json with next, react and vite, or express in it,"
                        + " or asks for fastapi in its requirements."));
  }

  private String nothing() {
    return "there is no package.json %s"
        .formatted(directory.isEmpty() ? "at the root" : "in " + directory);
  }

  private String named() {
    List<String> names = candidates.stream().limit(MAX_NAMED).map(Candidate::toString).toList();
    String more = candidates.size() > MAX_NAMED ? " and more" : "";
    return String.join(", ", names) + more;
  }
}
