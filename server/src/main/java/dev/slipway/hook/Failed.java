package dev.slipway.hook;

import dev.slipway.core.Failure;
import dev.slipway.core.FailureCode;
import dev.slipway.hook.host.CommitStatus.State;

/** How a deployment that did not go live is shown beside its commit. */
final class Failed {
  private Failed() {}

  /** One that was ended because nobody wants it any more is no fault of its commit. */
  static State state(Failure failure) {
    return isUnwanted(failure) ? State.SUCCESS : State.FAILURE;
  }

  static String words(Failure failure) {
    return isUnwanted(failure) ? "Not deployed: " + failure.message() : failure.message();
  }

  private static boolean isUnwanted(Failure failure) {
    return failure.code() == FailureCode.SUPERSEDED || failure.code() == FailureCode.CANCELED;
  }
}
