package dev.slipway.api;

import dev.slipway.core.Failure;

/** Why a migration or deployment failed, as the API shows it. */
record FailureView(String code, String message) {
  static FailureView of(Failure failure) {
    return new FailureView(failure.code().wireName(), failure.message());
  }
}
