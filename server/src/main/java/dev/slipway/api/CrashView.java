package dev.slipway.api;

import dev.slipway.project.Crashing;
import java.time.Instant;

/** That a program crashes again and again. */
record CrashView(Instant since, FailureView error) {
  static CrashView of(Crashing crashing) {
    return new CrashView(crashing.since(), FailureView.of(crashing.failure()));
  }
}
