package dev.slipway.framework;

import dev.slipway.source.Checkout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks for applications below a directory of a checkout. */
record Candidates(List<Framework> all, Checkout checkout) {
  private static final Set<String> MANIFESTS =
      Set.of(
          "package.json", "pyproject.toml", "requirements.txt", "Pipfile", "setup.py", "setup.cfg");

  /**
   * @param named the only framework that counts
   */
  List<Candidate> below(String directory, Optional<Framework> named) {
    List<Candidate> candidates = new ArrayList<>();
    for (String place : DirectoryScan.below(checkout, directory, MANIFESTS)) {
      if (!place.equals(directory)) {
        Checkout there = checkout(checkout, place);
        all.stream()
            .filter(framework -> named.isEmpty() || named.get().equals(framework))
            .filter(framework -> framework.detect(there))
            .findFirst()
            .ifPresent(framework -> candidates.add(new Candidate(place, framework)));
      }
    }
    return candidates;
  }

  /** A directory by itself: what lies around it is not seen. */
  static Checkout checkout(Checkout whole, String directory) {
    return new Checkout(whole.root().resolve(directory), whole.commit());
  }
}
