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
  private static final String ADVICE =
      "An application has a package.json with next, react and vite, or express in it, or asks for fastapi in its requirements. What else runs on Node or in Python can be said: framework, build_command and start_command, over the API or in a slipway.yaml.";

  String sentence() {
    OtherKind kind = kind();
    if (!candidates.isEmpty()) {
      return "No framework was recognised: %s. There are applications in: %s. Set root_directory to the one that you mean."
          .formatted(kind.found(), named());
    }
    return "No framework was recognised: %s. %s".formatted(kind.found(), kind.advice());
  }

  /** A package.json may be there for a tool alone: what says more about the application counts. */
  private OtherKind kind() {
    Optional<OtherKind> node = OtherKinds.of(Candidates.checkout(checkout, directory));
    return node.filter(kind -> !kind.equals(OtherKinds.UNKNOWN))
        .or(() -> candidates.isEmpty() ? OtherPython.of(checkout, directory) : Optional.empty())
        .or(() -> node.isPresent() ? withoutPage() : OtherFiles.of(checkout, directory))
        .or(() -> node)
        .orElseGet(() -> new OtherKind(nothing(), ADVICE));
  }

  /** A page beside a package.json is built by something. */
  private Optional<OtherKind> withoutPage() {
    return OtherFiles.of(checkout, directory).filter(kind -> !kind.found().contains("index.html"));
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
