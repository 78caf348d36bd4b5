package dev.slipway.framework;

import dev.slipway.core.AppFailure;
import dev.slipway.core.FailureCode;
import dev.slipway.source.Checkout;
import java.util.List;
import java.util.Optional;

/** All frameworks, and the choice among them. */
public final class Frameworks {
  // Order matters: the first that detects wins.
  private final List<Framework> all;

  /**
   * @param hostNodeVersion of the Node that programs get here, for example {@code v20.11.1}
   */
  public Frameworks(Optional<String> hostNodeVersion) {
    all = List.of(new NodeExpress(hostNodeVersion));
  }

  /** The values that the API field {@code framework} may have here. */
  public List<String> names() {
    return all.stream().map(Framework::name).toList();
  }

  /**
   * Finds out what an application is and how it is built.
   *
   * @throws AppFailure {@code FRAMEWORK_NOT_DETECTED}, saying what was looked for and found; {@code
   *     START_COMMAND_MISSING}
   */
  public BuildPlan plan(Checkout checkout, Overrides overrides) {
    return choose(overrides.framework(), checkout).plan(checkout, overrides);
  }

  private Framework choose(Optional<String> override, Checkout checkout) {
    if (override.isPresent()) {
      return named(override.get());
    }
    return all.stream()
        .filter(framework -> framework.detect(checkout))
        .findFirst()
        .orElseThrow(() ->
            new AppFailure(
                FailureCode.FRAMEWORK_NOT_DETECTED, new Undetected(checkout).sentence()));
  }

  private Framework named(String name) {
    return all.stream()
        .filter(framework -> framework.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new AppFailure(
                FailureCode.FRAMEWORK_NOT_DETECTED,
                "The framework %s cannot be built here; known are: %s."
                    .formatted(name, String.join(", ", names()))));
  }
}
