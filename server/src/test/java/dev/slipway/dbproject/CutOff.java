package dev.slipway.dbproject;

import java.util.concurrent.atomic.AtomicInteger;

/** Ends what is under way at one of its steps, as if the server were killed there. */
final class CutOff {
  private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

  /** No failure that any code knows what to do about. */
  static final class KilledException extends RuntimeException {
    KilledException() {
      super("killed");
    }
  }

  /** At the step after so many others. */
  void after(int steps) {
    left.set(steps);
  }

  void never() {
    left.set(Integer.MAX_VALUE);
  }

  void step() {
    if (left.getAndDecrement() == 0) {
      throw new KilledException();
    }
  }
}
