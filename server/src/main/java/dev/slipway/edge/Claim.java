package dev.slipway.edge;

/** One request's hold on an instance: while it lasts, the instance is not stopped. */
final class Claim {
  private final Gate gate;
  private final Runnable abort;

  Claim(Gate gate, Runnable abort) {
    this.gate = gate;
    this.abort = abort;
  }

  /** May be called again, and from any thread. */
  void release() {
    gate.leave(this);
  }

  /** Ends the request, as the time to finish it is over. */
  void abort() {
    abort.run();
  }
}
