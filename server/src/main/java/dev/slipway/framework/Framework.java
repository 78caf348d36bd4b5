package dev.slipway.framework;

import dev.slipway.source.Checkout;

/** Recognises and plans one kind of application. Stateless; one instance serves all builds. */
public interface Framework {
  /** The value of the API field {@code framework}, for example {@code node-express}. */
  String name();

  /** Reads file names and small manifests only; never runs code of the application. */
  boolean detect(Checkout checkout);

  /**
   * What to run, as data: pure, the same checkout gives the same plan.
   *
   * @param overrides win over what is found
   * @throws dev.slipway.core.AppFailure with {@code START_COMMAND_MISSING} or {@code
   *     FRAMEWORK_NOT_DETECTED} where the application lacks what a plan needs
   */
  BuildPlan plan(Checkout checkout, Overrides overrides);
}
