package dev.slipway.api;

import java.util.Map;

/** The handlers of one resource, by the contract's {@code operationId}. */
interface Operations {
  Map<String, Handler> handlers();

  /** What some of them ask of a request beyond the contract. */
  default Map<String, Check> checks() {
    return Map.of();
  }

  /** What some of them find out from others first. */
  default Map<String, Preparation> preparations() {
    return Map.of();
  }

  /** Runs on a virtual thread of the request's own; may block. */
  @FunctionalInterface
  interface Handler {
    Answer handle(Call call) throws Exception;
  }

  /**
   * Asks somebody who may take his time, and leaves what it learns with the call: before the
   * transaction in which the answer is kept, which would hold a connection of the store meanwhile.
   * The request is without faults.
   */
  @FunctionalInterface
  interface Preparation {
    void prepare(Call call);
  }

  /**
   * Tells what a schema cannot say, such as what the configuration offers, together with what the
   * contract found: the body may break its schema, and lack every field.
   */
  @FunctionalInterface
  interface Check {
    void look(Call call, Faults faults);
  }
}
