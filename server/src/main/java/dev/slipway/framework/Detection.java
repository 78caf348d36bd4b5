package dev.slipway.framework;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.framework.BuildPlan.Finding;
import dev.slipway.source.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Finds the application in a repository: at its root, or at the one place below it that holds one.
 * Several are for the user to choose from.
 */
record Detection(List<Framework> all, Checkout checkout) {

  record Found(Framework framework, String directory, List<Finding> findings) {}

  /**
   * @throws AppFailure {@code FRAMEWORK_NOT_DETECTED}
   */
  Found find(Overrides overrides) {
    Optional<Framework> named = overrides.framework().map(this::named);
    Optional<String> given = overrides.rootDirectory().map(this::existing);
    String directory = given.orElse("");
    Optional<Framework> there =
        named.isPresent() && given.isPresent() ? named : at(directory, named);
    if (there.isPresent()) {
      return new Found(there.get(), directory, List.of());
    }
    List<Candidate> candidates = new Candidates(all, checkout).below(directory, named);
    return onlyOne(candidates, given.isPresent())
        .or(() -> named.filter(it -> candidates.isEmpty()).map(it -> new Found(it, "", List.of())))
        .orElseThrow(() -> notDetected(directory, candidates));
  }

  private static Optional<Found> onlyOne(List<Candidate> candidates, boolean given) {
    List<Candidate> real = candidates.stream().filter(it -> !it.isAside()).toList();
    if (given || real.size() != 1) {
      return Optional.empty();
    }
    Candidate only = real.getFirst();
    return Optional.of(
        new Found(
            only.framework(),
            only.directory(),
            List.of(
                new Finding(
                    false,
                    "The application is in %s; there is none at the root."
                        .formatted(only.directory())))));
  }

  private AppFailure notDetected(String directory, List<Candidate> candidates) {
    return new AppFailure(
        FailureCode.FRAMEWORK_NOT_DETECTED,
        new Undetected(checkout, directory, candidates).sentence());
  }

  private Optional<Framework> at(String directory, Optional<Framework> named) {
    Checkout there = Candidates.checkout(checkout, directory);
    return all.stream()
        .filter(framework -> named.isEmpty() || named.get().equals(framework))
        .filter(framework -> framework.detect(there))
        .findFirst();
  }

  private String existing(String given) {
    try {
      Path path = Path.of(given).normalize();
      Path real = checkout.root().resolve(path);
      if (!path.isAbsolute()
          && Files.isDirectory(real)
          && real.toRealPath().startsWith(checkout.root().toRealPath())) {
        return path.toString();
      }
    } catch (InvalidPathException | IOException e) {
      // there is no such directory
    }
    throw new AppFailure(
        FailureCode.FRAMEWORK_NOT_DETECTED,
        "The root directory %s does not exist in the repository. Set root_directory to one that does."
            .formatted(given));
  }

  private Framework named(String name) {
    return all.stream()
        .filter(framework -> framework.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new AppFailure(
                FailureCode.FRAMEWORK_NOT_DETECTED,
                "The framework %s cannot be built here; known are: %s."
                    .formatted(
                        name, String.join(", ", all.stream().map(Framework::name).toList()))));
  }
}
